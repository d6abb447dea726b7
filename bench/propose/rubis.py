#!/usr/bin/env python3
"""Prints the lab file of RUBiS, an auction site, for a mix of its interactions.

    bench/propose/rubis.py browsing|bidding|write-medium|write-heavy

Entities, weights and what each interaction asks are those with which NoSE was measured (Mior, Salem,
Aboulnaga, Liu: "NoSE: Schema Design for NoSQL Applications", ICDE 2016; github.com/michaelmior/NoSE).
write-medium and write-heavy are the bidding mix with 10 and 100 times the weight of the interactions
that write. Each mix makes 1,000 interactions a second. Where an interaction asks for several things
that no single request could answer, it is several access patterns of the same rate.

What the language of the lab does not say exactly:

- "Browse categories" and "browse regions" ask for all instances of an entity. That is a query without
  `by`; in a table that has nothing else, it is a Scan of what is asked for.
- "End date from now on" is a range from now until 14 days ahead, beyond which no auction lasts.
- "Search items by region" asks by the region of the seller. An item has it as an attribute of its own,
  `seller_region`, because `by` names attributes of the entity. No interaction moves a user.
- "View user" takes whole comments: a pattern that reads two entities cannot name `rating` of one of them.
- "Put bid" takes the item and whole bids in one pattern, for the same reason.
- "Store bid", "store buy now" and "store comment" read an item or a user and then write it. The two are
  two patterns, so nothing says that both are about the same instance, and none is a condition of the
  other, as in RUBiS.
- A copy of another entity's attribute, such as the nickname of a bidder in the bid, is an attribute of
  the entity and not a choice of the layout. So nicknames are fetched by their users' keys in each layout,
  where NoSE may copy them.
- NoSE gives means only: counts for each parent are constant, texts vary a little, references are uniform.
"""

import sys

INTERACTIONS_PER_SECOND = 1000
MIXES = {"browsing": 0, "bidding": 1, "write-medium": 10, "write-heavy": 100}  # times the weight of writes

ENTITIES = """\
  Category:
    count: 50
    attributes:
      category_id: {sequence: 2}
      name: {text: [15, 25]}
  Region:
    count: 5
    attributes:
      region_id: {sequence: 1}
      name: {text: [20, 30]}
  User:
    count: 2000
    attributes:
      user_id: {sequence: 7}
      firstname: {text: [4, 8]}
      lastname: {text: [5, 9]}
      nickname: {text: [10, 14]}
      password: {text: [14, 16]}
      email: {text: [20, 26]}
      rating: {number: [0, 49]}
      balance: {number: [0, 9999]}
      creation_date: {time: {past: 900d}}
      region_id: {ref: Region.region_id}
  Item:
    count: 20000
    attributes:
      item_id: {sequence: 8}
      name: {text: [15, 23]}
      description: {text: [150, 244]}
      initial_price: {number: [1, 5000]}
      quantity: {number: [0, 99]}
      reserve_price: {number: [1, 9000]}
      buy_now: {number: [1, 9000]}
      nb_of_bids: {number: [0, 99]}
      max_bid: {number: [1, 9000]}
      start_date: {time: {past: 30d}}
      end_date: {time: {after: start_date, within: 14d}}
      seller_id: {ref: User.user_id}
      category_id: {ref: Category.category_id}
      seller_region: {ref: User.region_id, with: seller_id}
  Bid:
    of: Item
    count: 10
    attributes:
      bid_id: {ulid: date}
      qty: {number: [1, 5]}
      bid: {number: [1, 9000]}
      date: {time: {past: 30d}}
      bidder_id: {ref: User.user_id}
  Comment:
    of: User # who receives it
    count: 50
    attributes:
      comment_id: {ulid: date}
      rating: {number: [0, 9]}
      date: {time: {past: 300d}}
      comment: {text: [100, 160]}
      sender_id: {ref: User.user_id}
      item_id: {ref: Item.item_id}
  BuyNow:
    of: User
    count: 20
    attributes:
      buy_now_id: {ulid: date}
      qty: {number: [1, 4]}
      date: {time: {past: 100d}}
      item_id: {ref: Item.item_id}
"""

LIVE = "range: {end_date: {next: 14d}}"
FOUND = "limit: 25, returns: [item_id, name, initial_price, max_bid, nb_of_bids, end_date]"
ITEMS_OF = ", ".join(f"item_id.{name}" for name in (
    "name", "description", "initial_price", "quantity", "reserve_price", "buy_now", "nb_of_bids", "max_bid",
    "start_date", "end_date", "seller_id", "category_id"))

# Interaction, its weights in the browsing and the bidding mix, whether it writes, its access patterns.
INTERACTIONS = [
    ("browse categories", 4.44, 7.65, False, [
        ("who browses categories", "get: User, by: [user_id], returns: [nickname, password]"),
        ("browse categories", "query: Category, returns: [category_id, name]")]),
    ("browse regions", 3.21, 5.39, False, [
        ("browse regions", "query: Region, returns: [region_id, name]")]),
    ("search items by category", 27.77, 15.94, False, [
        ("search items by category", f"query: Item, by: [category_id], {LIVE}, {FOUND}")]),
    ("search items by region", 8.26, 6.34, False, [
        ("search items by region", f"query: Item, by: [seller_region, category_id], {LIVE}, {FOUND}")]),
    ("view item", 22.95, 14.17, False, [
        ("view item", "query: [Item, Bid], by: [item_id]")]),
    ("view user", 4.41, 2.48, False, [
        ("view user", "query: [User, Comment], by: [user_id]")]),
    ("view bid history", 2.38, 1.54, False, [
        ("view bid history", "query: [Item, Bid], by: [item_id], order: date, "
                             "returns: [name, bid_id, qty, bid, date, bidder_id, bidder_id.nickname]")]),
    ("register item", 0, 0.53, True, [
        ("register item", "create: Item")]),
    ("register user", 0, 1.07, True, [
        ("register user", "create: User")]),
    ("buy now", 0, 1.16, False, [
        ("who buys now", "get: User, by: [user_id], returns: [nickname]"),
        ("buy now", "get: Item, by: [item_id]")]),
    ("store buy now", 0, 1.10, True, [
        ("before store buy now", "get: Item, by: [item_id], returns: [quantity, nb_of_bids, end_date]"),
        ("store buy now", "create: BuyNow, also: [{update: Item, by: [item_id], set: {quantity: {number: [0, 99]}, "
                          "nb_of_bids: {number: [0, 99]}, end_date: {time: {ahead: 14d}}}}]")]),
    ("put bid", 0, 5.40, False, [
        ("who bids", "get: User, by: [user_id], returns: [nickname, password]"),
        ("put bid", "query: [Item, Bid], by: [item_id], order: -bid, limit: 2")]),
    ("store bid", 0, 3.74, True, [
        ("before store bid", "get: Item, by: [item_id], returns: [nb_of_bids, max_bid]"),
        ("store bid", "create: Bid, also: [{update: Item, by: [item_id], add: {nb_of_bids: 1}, "
                      "set: {max_bid: {number: [1, 9000]}}}]")]),
    ("put comment", 0, 0.46, False, [
        ("who comments", "get: User, by: [user_id], returns: [nickname, password]"),
        ("item of a comment", "get: Item, by: [item_id]"),
        ("user of a comment", "get: User, by: [user_id]")]),
    ("store comment", 0, 0.45, True, [
        ("before store comment", "get: User, by: [user_id], returns: [rating]"),
        ("store comment", "create: Comment, also: [{update: User, by: [user_id], set: {rating: {number: [0, 49]}}}]")]),
    ("about me", 1.71, 1.71, False, [
        ("about me", "get: User, by: [user_id]"),
        ("comments to me", "query: Comment, by: [user_id], "
                           "returns: [comment_id, rating, date, comment, sender_id, sender_id.nickname]"),
        ("what I bought", "query: BuyNow, by: [user_id], range: {date: {last: 30d}}, "
                          f"returns: [buy_now_id, qty, date, item_id, {ITEMS_OF}]"),
        ("what I sell", f"query: Item, by: [seller_id], {LIVE}"),
        ("what I bid on", f"query: Item, each: {{query: Bid, by: [bidder_id]}}, by: [item_id], {LIVE}")]),
]

# Layouts by hand, the same for all mixes. In the first three, each partition has what is read together, and three
# overloaded indexes lead to items and bids from elsewhere. They differ in what the indexes hold: "whole items" is
# what their author would take where little is written, "keys only" where much is, since a bid changes its item.
# The last one is as relational designs have it; "browse categories" and "browse regions" are Scans there, of
# tables that hold nothing else.
LAYOUTS = """\
  single table:
    tables:
      rubis:
        key: [PK, SK]
        billing: on_demand
        indexes:
          GSI1: {key: [GSI1PK, GSI1SK], projection: [name, initial_price, max_bid, nb_of_bids]}
          GSI2: {key: [GSI2PK, GSI2SK], projection: [name, initial_price, max_bid, nb_of_bids]}
          GSI3: {key: [GSI3PK, GSI3SK], projection: keys_only}
        items:
          Category: {PK: "CATEGORIES", SK: "{category_id}"}
          Region: {PK: "REGIONS", SK: "{region_id}"}
          User: {PK: "USER#{user_id}", SK: "USER"}
          Item:
            PK: "ITEM#{item_id}"
            SK: "ITEM"
            GSI1PK: "CAT#{category_id}"
            GSI1SK: "{end_date}#{item_id}"
            GSI2PK: "REGION#{seller_region}#CAT#{category_id}"
            GSI2SK: "{end_date}#{item_id}"
            GSI3PK: "USER#{seller_id}"
            GSI3SK: "ITEM#{end_date}#{item_id}"
          Bid: {PK: "ITEM#{item_id}", SK: "BID#{bid_id}", GSI1PK: "USER#{bidder_id}", GSI1SK: "BID#{bid_id}"}
          Comment: {PK: "USER#{user_id}", SK: "COMMENT#{comment_id}"}
          BuyNow: {PK: "USER#{user_id}", SK: "BUYNOW#{buy_now_id}"}
  whole items:
    like: single table
    tables: {rubis: {indexes: {GSI3: {projection: all}}}}
  keys only:
    like: single table
    tables: {rubis: {indexes: {GSI1: {projection: keys_only}, GSI2: {projection: keys_only}}}}
  a table each:
    tables:
      categories: {key: [category_id], billing: on_demand, type_attribute: none, items: {Category: {}}}
      regions: {key: [region_id], billing: on_demand, type_attribute: none, items: {Region: {}}}
      users: {key: [user_id], billing: on_demand, type_attribute: none, items: {User: {}}}
      items:
        key: [item_id]
        billing: on_demand
        type_attribute: none
        indexes:
          by_category: {key: [category_id, end_date], projection: all}
          by_region: {key: {hash: [seller_region, category_id], range: [end_date]}, projection: all}
          by_seller: {key: [seller_id, end_date], projection: all}
        items: {Item: {}}
      bids:
        key: [item_id, bid_id]
        billing: on_demand
        type_attribute: none
        indexes:
          by_bidder: {key: [bidder_id, bid_id], projection: keys_only}
        items: {Bid: {}}
      comments: {key: [user_id, comment_id], billing: on_demand, type_attribute: none, items: {Comment: {}}}
      buy_nows: {key: [user_id, buy_now_id], billing: on_demand, type_attribute: none, items: {BuyNow: {}}}
"""


def lab_file(mix):
    """Returns the lab file of the mix. Patterns of interactions that the mix does not have are left out."""
    weights = [weight(mix, *interaction[1:4]) for interaction in INTERACTIONS]
    lines = []
    for (_, _, _, _, patterns), share in zip(INTERACTIONS, weights):
        rate = INTERACTIONS_PER_SECOND * share / sum(weights)
        if rate > 0:
            lines += [f"  {name}: {{{asks}, rate: {rate:.4g}/s}}\n" for name, asks in patterns]
    return (f"# RUBiS, the {mix} mix.\nlab: 1\nentities:\n{ENTITIES}access_patterns:\n{''.join(lines)}"
            f"layouts:\n{LAYOUTS}traffic: [{{for: 1m, rate: 1}}]\n")


def weight(mix, browsing, bidding, writes):
    if mix == "browsing":
        return browsing
    return bidding * (MIXES[mix] if writes else 1)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in MIXES:
        sys.exit(f"usage: bench/propose/rubis.py {'|'.join(MIXES)}")
    sys.stdout.write(lab_file(sys.argv[1]))
