const ADDRESS = /^[^@\s,;<>"]+@[^@\s,;<>"]+$/

/** Whether a text is one e-mail address, without a name. */
export function isEmailAddress(text: string): boolean {
  return ADDRESS.test(text)
}
