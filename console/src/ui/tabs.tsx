// Tabs that choose between a few ways to see the same thing.

export interface TabsProps<Name extends string> {
  label: string
  tabs: readonly { name: Name; title: string }[]
  chosen: Name
  onChoose: (name: Name) => void
}

export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const choose = (event: KeyboardEvent, step: number) => {
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.name === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]!
    onChoose(next.name)
    const list = event.currentTarget as HTMLElement
    queueMicrotask(() => list.querySelector<HTMLElement>(`[data-name="${CSS.escape(next.name)}"]`)?.focus())
  }
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') choose(event, 1)
        if (event.key === 'ArrowLeft') choose(event, -1)
      }}
    >
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          class="tab"
          data-name={tab.name}
          aria-selected={tab.name === chosen}
          tabIndex={tab.name === chosen ? 0 : -1}
          onClick={() => onChoose(tab.name)}
        >
          {tab.title}
        </button>
      ))}
    </div>
  )
}
