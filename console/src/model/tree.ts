// The typed tree of an item, as an editor changes it: a node may be wrong for a while (a number that is half typed), and `problems`
// says where. Nodes are immutable; a change returns a new root. Pure functions.

import { typeOf, type AttributeType, type AttributeValue, type Item } from '../api/values'
import { base64Problem, canonicalNumber, contentOf, numberProblem } from './values'

export interface TreeNode {
  /** Stays with the node while it is edited. */
  id: number
  /** The name of an attribute or a member of a map; "" for an element of a list or a set. */
  name: string
  type: AttributeType
  /** The content of S, N, B (Base64) and BOOL ("true", "false"). */
  text: string
  /** The members of M, the elements of L, SS, NS and BS. */
  children: TreeNode[]
}

const kElementTypes: Partial<Record<AttributeType, AttributeType>> = { SS: 'S', NS: 'N', BS: 'B' }

/** Returns the type that every element of a set has; undefined for other types. */
export function elementTypeOf(type: AttributeType): AttributeType | undefined {
  return kElementTypes[type]
}

export function hasChildren(type: AttributeType): boolean {
  return type === 'M' || type === 'L' || kElementTypes[type] !== undefined
}

let last_id = 0

export function makeNode(type: AttributeType, name = '', text = type === 'BOOL' ? 'true' : '', children: TreeNode[] = []): TreeNode {
  last_id += 1
  return { id: last_id, name, type, text, children }
}

export function nodeOf(value: AttributeValue, name = ''): TreeNode {
  const type = typeOf(value)
  const content = contentOf(value)
  const element_type = kElementTypes[type]
  if (type === 'M') return makeNode(type, name, '', Object.entries(content as Item).map(([member, inner]) => nodeOf(inner, member)))
  if (type === 'L') return makeNode(type, name, '', (content as AttributeValue[]).map((inner) => nodeOf(inner)))
  if (element_type) return makeNode(type, name, '', (content as string[]).map((text) => makeNode(element_type, '', text)))
  return makeNode(type, name, type === 'NULL' ? '' : String(content))
}

/** Returns the root: a map whose members are the attributes. */
export function treeOf(item: Item): TreeNode {
  return nodeOf({ M: item })
}

/** Returns the value of a node. Call `problems` first: texts are taken as they are. */
export function valueOfNode(node: TreeNode): AttributeValue {
  switch (node.type) {
    case 'S': return { S: node.text }
    case 'N': return { N: node.text.trim() }
    case 'B': return { B: node.text }
    case 'BOOL': return { BOOL: node.text === 'true' }
    case 'NULL': return { NULL: true }
    case 'M': return { M: itemOfTree(node) }
    case 'L': return { L: node.children.map(valueOfNode) }
    default: return { [node.type]: node.children.map((child) => child.text) } as AttributeValue
  }
}

export function itemOfTree(root: TreeNode): Item {
  return Object.fromEntries(root.children.map((child) => [child.name, valueOfNode(child)]))
}

/** Returns what is wrong with nodes, by their ids. Empty names are right in maps and wrong for attributes. */
export function problems(root: TreeNode): Map<number, string> {
  const found = new Map<number, string>()
  const visit = (node: TreeNode, depth: number) => {
    if (depth > 32) found.set(node.id, 'A value is nested at most 32 levels deep.')
    const problem = node.type === 'N' ? numberProblem(node.text) : node.type === 'B' ? base64Problem(node.text) : undefined
    if (problem) found.set(node.id, problem)
    const seen = new Set<string>()
    const is_set = kElementTypes[node.type] !== undefined
    if (is_set && node.children.length === 0) found.set(node.id, 'A set has at least one element.')
    for (const child of node.children) {
      const key = node.type === 'M' ? child.name : node.type === 'NS' ? canonicalNumber(child.text) : child.text
      if (node.type === 'M' || is_set) {
        if (seen.has(key)) found.set(child.id, is_set ? 'This element is there twice.' : 'This name is there twice.')
        seen.add(key)
      }
      if (node === root && child.name === '') found.set(child.id, 'An attribute has a name.')
      visit(child, depth + 1)
    }
  }
  visit(root, 0)
  return found
}

/** Returns the tree with `change` applied to the node `id`; a node for which `change` returns undefined is removed. */
export function changeNode(root: TreeNode, id: number, change: (node: TreeNode) => TreeNode | undefined): TreeNode {
  const visit = (node: TreeNode): TreeNode | undefined => {
    if (node.id === id) return change(node)
    let is_changed = false
    const children: TreeNode[] = []
    for (const child of node.children) {
      const next = visit(child)
      is_changed ||= next !== child
      if (next) children.push(next)
    }
    return is_changed ? { ...node, children } : node
  }
  return visit(root) ?? root
}

/** Returns the node with another type, with as much of its content as the type can hold. */
export function withType(node: TreeNode, type: AttributeType): TreeNode {
  if (type === node.type) return node
  const element_type = kElementTypes[type]
  const elements = hasChildren(node.type) ? node.children : node.type === 'NULL' ? [] : [{ ...node, id: makeNode('S').id, name: '' }]
  if (element_type) {
    const scalars = elements.filter((child) => !hasChildren(child.type) && child.type !== 'NULL')
    return { ...node, type, text: '', children: scalars.map((child) => ({ ...child, name: '', type: element_type })) }
  }
  if (type === 'L') return { ...node, type, text: '', children: elements.map((child) => ({ ...child, name: '' })) }
  if (type === 'M') return { ...node, type, text: '', children: elements.map((child, at) => ({ ...child, name: child.name || String(at) })) }
  const text = hasChildren(node.type) ? node.children[0]?.text ?? '' : node.text
  if (type === 'BOOL') return { ...node, type, text: String(text !== 'false' && text !== ''), children: [] }
  return { ...node, type, text: type === 'NULL' ? '' : text, children: [] }
}

/** Returns the tree with a new child of the node `id`, and the child's id. */
export function withNewChild(root: TreeNode, id: number): { root: TreeNode; child: number } {
  let made = 0
  const changed = changeNode(root, id, (node) => {
    const child = makeNode(kElementTypes[node.type] ?? 'S')
    made = child.id
    return { ...node, children: [...node.children, child] }
  })
  return { root: changed, child: made }
}
