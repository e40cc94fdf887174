/**
 * The only policy that the Content-Security-Policy of the pages allows for Trusted Types. It makes markup that the server
 * has sanitized or that highlight.js has produced, and addresses of scripts of this origin.
 */
const policy = window.trustedTypes?.createPolicy('switchyard', {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`Foreign script: ${url}`)
    return url
  },
})

/** Sets markup that the server has sanitized, or that highlight.js has produced from text. */
export function setTrustedHtml(element: Element, html: string): void {
  // Trusted Types are missing in some browsers, which take the text itself.
  element.innerHTML = (policy?.createHTML(html) ?? html) as string
}

/** Starts a module worker of this origin. */
export function startWorker(url: URL): Worker {
  return new Worker((policy?.createScriptURL(url.href) ?? url) as URL, { type: 'module' })
}
