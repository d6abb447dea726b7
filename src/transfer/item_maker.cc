#include "transfer/item_maker.h"

#include <span>

#include "operation/parameter/item_key.h"
#include "transfer/json_tree.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"

namespace hashrange {

Result<ItemRef> ItemMaker::Make(const JsonValue& item, Arena& arena) const {
  const JsonMember request[] = {{"TableName", JsonValue::String(table_.name)}, {"Item", item}};
  HR_RETURN_IF_ERROR(BindRequest(put_item_, MakeJsonObject(request)));
  HR_ASSIGN(const std::span<const Attribute> attributes,
            ReadAttributes(item, ValidationLayer::kBare, arena));
  HR_RETURN_IF_ERROR(CheckItemSize(attributes));
  HR_RETURN_IF_ERROR(CheckItemFits(table_, attributes));
  return Item::Make(table_.key, attributes);
}

}  // namespace hashrange
