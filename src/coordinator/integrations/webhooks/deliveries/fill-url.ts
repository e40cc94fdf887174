/** Puts the values in the place of `{name}`; undefined when what comes of it is no address. */
export function fillUrl(template: string, variables: Readonly<Record<string, string>>): URL | undefined {
  const text = template.replace(/\{([^{}]+)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  )
  return URL.canParse(text) ? new URL(text) : undefined
}

/** The address for people to look at: without the values of variables, and without credentials. */
export function maskedUrl(template: string): string {
  return template.replace(/^(\w+:\/\/)[^/?#]*@/, '$1*****:*****@')
}
