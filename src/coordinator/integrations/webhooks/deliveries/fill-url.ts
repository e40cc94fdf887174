/** Replaces each `{name}` by its value; undefined if the result is not a valid URL. */
export function fillUrl(template: string, variables: Readonly<Record<string, string>>): URL | undefined {
  const text = template.replace(/\{([^{}]+)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  )
  return URL.canParse(text) ? new URL(text) : undefined
}

/** URL of a hook for display. The path of an integration's URL is often its secret. */
export function shownUrlOf({ integration_id }: { integration_id: number | null }, template: string): string {
  return integration_id !== null && URL.canParse(template) ? new URL(template).origin : maskedUrl(template)
}

/** URL for display, without values of variables and without credentials. */
function maskedUrl(template: string): string {
  return template.replace(/^(\w+:\/\/)[^/?#]*@/, '$1*****:*****@')
}
