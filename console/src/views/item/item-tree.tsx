// The typed tree of an item: a row for each attribute, member and element, each with its name, type and value.

import { useState } from 'preact/hooks'
import type { AttributeType } from '../../api/values'
import { changeNode, hasChildren, elementTypeOf, withNewChild, withType, type TreeNode } from '../../model/tree'
import { kTypeNames, kTypes } from '../../model/values'
import { Button } from '../../ui/button'
import { countOf } from '../../ui/figures'
import { toast } from '../../ui/toast'
import { saveFile } from '../tables/download'

export interface ItemTreeProps {
  root: TreeNode
  onChange: (root: TreeNode) => void
  problems: ReadonlyMap<number, string>
  /** Attributes of the table's key: their names and types stay. */
  key_names: ReadonlySet<string>
  is_read_only: boolean
}

// A list of more members shows its first ones until the reader asks for all.
const kShownMembers = 100
// The size of an item is at most 400 KB.
const kMaxFileBytes = 400_000

export function ItemTree(props: ItemTreeProps) {
  return (
    <div class="tree" role="group" aria-label="Attributes">
      <div class="tree-head" aria-hidden="true"><span>attribute</span><span>type</span><span>value</span></div>
      <Members {...props} node={props.root} path="" depth={0} />
      {!props.is_read_only && <AddButton {...props} node={props.root} depth={0} title="+ Add an attribute" />}
    </div>
  )
}

interface NodeProps extends ItemTreeProps {
  node: TreeNode
  path: string
  depth: number
}

function Members(props: NodeProps) {
  const { node, path, depth } = props
  const [shows_all, setShowsAll] = useState(false)
  const children = shows_all ? node.children : node.children.slice(0, kShownMembers)
  return (
    <>
      {children.map((child, at) => (
        <Row key={child.id} {...props} parent={node} node={child} depth={depth} path={node.type === 'M' ? (path ? `${path}.${child.name}` : child.name) : `${path}[${at}]`} at={at} />
      ))}
      {children.length < node.children.length && (
        <div style={{ '--depth': String(depth) }} class="tree-more"><Button kind="quiet" onClick={() => setShowsAll(true)}>Show all {countOf(node.children.length, 'member')}</Button></div>
      )}
    </>
  )
}

function AddButton({ root, onChange, node, depth, title }: ItemTreeProps & { node: TreeNode; depth: number; title: string }) {
  const add = () => {
    const { root: changed, child } = withNewChild(root, node.id)
    onChange(changed)
    // The new row is drawn after this event.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-node="${child}"] :is(input, textarea)`)?.focus())
  }
  return <div style={{ '--depth': String(depth) }} class="tree-more"><Button kind="quiet" onClick={add}>{title}</Button></div>
}

function Row(props: NodeProps & { parent: TreeNode; at: number }) {
  const { root, node, parent, path, depth, at, onChange, problems, is_read_only } = props
  const set = (members: Partial<TreeNode>) => onChange(changeNode(root, node.id, (each) => ({ ...each, ...members })))
  const is_key = parent === root && props.key_names.has(node.name)
  const is_element_of_set = elementTypeOf(parent.type) !== undefined
  const problem = problems.get(node.id)
  const label = path || 'new attribute'
  return (
    <>
      <div class={`tree-row${is_key ? ' tree-key' : ''}`} data-node={node.id} style={{ '--depth': String(depth) }}>
        <span class="tree-name">
          {parent.type === 'M' && !is_key && !is_read_only ? (
            <input class="input mono" aria-label={`Name of ${label}`} value={node.name} placeholder="name" spellcheck={false} autocomplete="off" onInput={(event) => set({ name: event.currentTarget.value })} />
          ) : (
            <bdi class="mono tree-fixed">{parent.type === 'M' ? node.name : at}</bdi>
          )}
        </span>
        <select
          class="input" aria-label={`Type of ${label}`} value={node.type} disabled={is_key || is_element_of_set || is_read_only}
          onChange={(event) => onChange(changeNode(root, node.id, (each) => withType(each, event.currentTarget.value as AttributeType)))}
        >
          {kTypes.map((type) => <option value={type} selected={type === node.type}>{kTypeNames[type]}</option>)}
        </select>
        <span class="tree-value"><Value node={node} label={label} set={set} problem={problem} is_read_only={is_read_only} /></span>
        {!is_key && !is_read_only && (
          <Button kind="quiet" label={`Remove ${label}`} onClick={() => onChange(changeNode(root, node.id, () => undefined))}>✕</Button>
        )}
        {problem && <p class="field-note field-error tree-problem" id={`problem-${node.id}`}>{problem}</p>}
      </div>
      {hasChildren(node.type) && (
        <>
          <Members {...props} depth={depth + 1} />
          {!is_read_only && <AddButton {...props} depth={depth + 1} title={node.type === 'M' ? '+ Add a member' : '+ Add an element'} />}
        </>
      )}
    </>
  )
}

interface ValueProps {
  node: TreeNode
  label: string
  set: (members: Partial<TreeNode>) => void
  problem: string | undefined
  is_read_only: boolean
}

function Value({ node, label, set, problem, is_read_only }: ValueProps) {
  const shared = {
    class: `input mono value-${node.type}`, 'aria-label': `Value of ${label}`, value: node.text, spellcheck: false, readOnly: is_read_only,
    'aria-invalid': problem ? true : undefined, 'aria-describedby': problem ? `problem-${node.id}` : undefined
  }
  switch (node.type) {
    case 'S': return (
      <textarea {...shared} rows={Math.min(8, node.text.split('\n').length + Math.floor(node.text.length / 90))} onInput={(event) => set({ text: event.currentTarget.value })} />
    )
    case 'N': return <input {...shared} inputMode="decimal" autocomplete="off" onInput={(event) => set({ text: event.currentTarget.value })} />
    case 'BOOL': return (
      <select class="input" aria-label={`Value of ${label}`} value={node.text} disabled={is_read_only} onChange={(event) => set({ text: event.currentTarget.value })}>
        {['true', 'false'].map((text) => <option value={text} selected={text === node.text}>{text}</option>)}
      </select>
    )
    case 'NULL': return <span class="mono value-NULL tree-fixed">null</span>
    case 'B': return <Binary node={node} label={label} set={set} is_read_only={is_read_only} shared={shared} />
    default: return <span class="muted tree-fixed">{countOf(node.children.length, node.type === 'M' ? 'member' : 'element')}</span>
  }
}

function Binary({ node, label, set, is_read_only, shared }: Omit<ValueProps, 'problem'> & { shared: object }) {
  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > kMaxFileBytes) return toast('The file is larger than an item can be: 400 KB.', { kind: 'error' })
    const bytes = new Uint8Array(await file.arrayBuffer())
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    set({ text: btoa(text) })
  }
  const save = () => saveFile('binary', Uint8Array.from(atob(node.text), (letter) => letter.charCodeAt(0)))
  return (
    <>
      <input {...shared} placeholder="Base64" autocomplete="off" onInput={(event) => set({ text: (event.currentTarget as HTMLInputElement).value })} />
      {!is_read_only && (
        <label class="button file-button">
          File…
          <input type="file" class="for-screen-readers" aria-label={`File for ${label}`} onChange={(event) => void take(event.currentTarget.files?.[0])} />
        </label>
      )}
      <Button label={`Save the bytes of ${label} as a file`} disabled={node.text === ''} onClick={save}>↓</Button>
    </>
  )
}
