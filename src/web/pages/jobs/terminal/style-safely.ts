/**
 * Lets xterm style its elements without an exception from the policy of the pages: style elements get the nonce of the
 * page, and the style attribute of a span is set by its properties. Both concern the whole document, so they end with the
 * terminal. Returns a function that ends them.
 */
export function styleSafely(nonce: string): () => void {
  const createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    // oxlint-disable-next-line typescript/no-deprecated -- only its overload for elements that no browser knows is
    const element = Document.prototype.createElement.call(document, name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  Object.defineProperty(document, 'createElement', { configurable: true, value: createElement })
  Object.defineProperty(HTMLSpanElement.prototype, 'setAttribute', {
    configurable: true,
    value: setAttribute,
  })
  return () => {
    Reflect.deleteProperty(document, 'createElement')
    Reflect.deleteProperty(HTMLSpanElement.prototype, 'setAttribute')
  }
}

function setAttribute(this: HTMLSpanElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}
