// oxlint-disable-next-line no-control-regex -- The pattern must match control characters.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/

/** Whether git accepts the text as a branch or tag name, or could after its variables are expanded. */
export function isGitRef(text: string): boolean {
  if (text === '' || text === '@' || FORBIDDEN.test(text)) return false
  return text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}
