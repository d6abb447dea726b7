// A view whose code is fetched when it is first opened, so that the first load of the page stays small.

import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { noteUnanswered, useReturn } from '../state/connection'
import { Button } from '../ui/button'
import type { Place } from './routes'

type ViewComponent = FunctionComponent<{ place: Place }>

/** Returns a view that `load` fetches; the styles of such a view are imported by main.tsx. */
export function lazyView(load: () => Promise<ViewComponent>): ViewComponent {
  let loaded: ViewComponent | undefined
  return function LazyView({ place }) {
    const [state, setState] = useState<'waiting' | 'failed'>('waiting')
    const [, setAttempts] = useState(0)
    const fetchView = async () => {
      setState('waiting')
      try {
        loaded = await load()
        setAttempts((count) => count + 1)
      } catch {
        noteUnanswered()
        setState('failed')
      }
    }
    useReturn(() => {
      if (!loaded) void fetchView()
    })
    useEffect(() => {
      if (!loaded) void fetchView()
    }, [])
    if (loaded) {
      const View = loaded
      return <View place={place} />
    }
    if (state === 'waiting') return null
    return <p class="notice notice-error" role="alert">This view could not be fetched. <Button onClick={() => void fetchView()}>Try again</Button></p>
  }
}
