// Components that are drawn again only when one of their props is another: for the lines of a long list.

import { Component, type ComponentChild, type FunctionComponent } from 'preact'

/** `draw` uses no hooks and no signals. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChild): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = this.props as Record<string, unknown>
      return Object.entries(next).some(([name, value]) => before[name] !== value)
    }
    override render() {
      return draw(this.props)
    }
  }
  return Memo as unknown as FunctionComponent<Props>
}
