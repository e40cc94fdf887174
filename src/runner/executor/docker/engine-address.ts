/** Whether the text is the address of an engine that this runner can use: a local socket, or TCP with or without TLS. */
export function isEngineAddress(text: string): boolean {
  return /^(unix:\/\/\/|(tcp|https?):\/\/[^/:])/.test(text) && URL.canParse(text)
}
