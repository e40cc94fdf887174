/** Characters in names of environments and resource groups (CI language, 3.6 and 12.8). */
const NAME = /^[\w\-.${} ]([\w\-.${} /]*[\w\-.${} ])?$/

export const WRONG_NAME =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

const MAX_LENGTH = 255

export function hasNameCharacters(text: string): boolean {
  return NAME.test(text)
}

/** Whether the text is a valid name of an environment or resource group, after expansion. */
export function isEnvironmentName(text: string): boolean {
  return text.length <= MAX_LENGTH && hasNameCharacters(text) && text.trim() !== ''
}
