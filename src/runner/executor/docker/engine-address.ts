import { parseSshAddress } from './ssh/ssh-address.js'

/** Whether the text is the address of an engine that this runner can use: a local socket, TCP with or without TLS, or SSH. */
export function isEngineAddress(text: string): boolean {
  return (
    parseSshAddress(text) !== undefined ||
    (/^(unix:\/\/\/|(tcp|https?):\/\/[^/:])/.test(text) && URL.canParse(text))
  )
}
