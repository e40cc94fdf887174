/** The properties and secrets of an integration. Missing texts are empty. */
export class Settings {
  constructor(readonly values: Readonly<Record<string, unknown>>) {}

  text(name: string): string {
    const value = this.values[name]
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  }

  /** A text as a part of a URL. */
  encoded(name: string): string {
    return encodeURIComponent(this.text(name))
  }

  /** A URL without slashes at its end. */
  base(name: string): string {
    return this.text(name).replace(/\/+$/, '')
  }

  /** Undefined if it was never set. */
  flag(name: string): boolean | undefined {
    const value = this.values[name]
    return typeof value === 'boolean' ? value : undefined
  }
}

/** The header with which a request proves who sends it, by HTTP Basic. */
export function basic(username: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}
