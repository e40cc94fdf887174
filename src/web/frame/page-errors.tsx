import { RefreshCw } from 'lucide'
import { Component, type ComponentChildren } from 'preact'

import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'

/** Keeps the frame when a page throws: a mistake in the code of a page does not leave an empty window. */
export class PageErrors extends Component<{ children: ComponentChildren }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    // The browser reports it, and tests see it.
    reportError(error)
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return <PageFailure error={this.state.error} />
  }
}

/** In place of a page that failed. */
export function PageFailure({ error }: { error: unknown }) {
  return (
    <Alert
      tone="error"
      title="This page has failed."
      actions={
        <Button size="small" icon={RefreshCw} onClick={() => location.reload()}>
          Load again
        </Button>
      }
    >
      {error instanceof Error ? error.message : 'The reason is in the console of the browser.'}
    </Alert>
  )
}
