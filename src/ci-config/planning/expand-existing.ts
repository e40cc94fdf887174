const REFERENCE = /\$\$|%%|\$(?<plain>[a-zA-Z_]\w*)|\$\{(?<braced>[a-zA-Z_]\w*)\}|%(?<percent>[a-zA-Z_]\w*)%/g

/** Puts values in the place of references, one level deep; references to nothing stay as text (CI language, 8.3). */
export function expandExisting(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replaceAll(REFERENCE, (reference, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    const name = groups.plain ?? groups.braced ?? groups.percent
    return name === undefined ? reference : (valueOf(name) ?? reference)
  })
}
