// eslint-disable-next-line no-control-regex -- Control characters are what is looked for.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/

/** Whether git would take the text as the name of a branch or tag, or it is one once its variables are known. */
export function isGitRef(text: string): boolean {
  if (text === '' || text === '@' || FORBIDDEN.test(text)) return false
  return text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}
