import { isRecord } from '../../../lib/is-record.js'

/** Access to a JSON object, whose shape depends on its kind. Missing values are empty. */
export class Fields {
  private readonly value: Record<string, unknown>

  constructor(value: unknown) {
    this.value = isRecord(value) ? value : {}
  }

  at(name: string): Fields {
    return new Fields(this.value[name])
  }

  /** The object of a JSON text; empty for what is none, such as a text that was cut. */
  static parse(text: string): Fields {
    try {
      return new Fields(JSON.parse(text))
    } catch (error) {
      if (error instanceof SyntaxError) return new Fields({})
      throw error
    }
  }

  /** Whether there is a value that is not null. */
  has(name: string): boolean {
    return (this.value[name] ?? null) !== null
  }

  text(name: string): string {
    const value = this.value[name]
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  }

  flag(name: string): boolean {
    return this.value[name] === true
  }

  list(name: string): Fields[] {
    const value = this.value[name]
    return Array.isArray(value) ? value.map((one) => new Fields(one)) : []
  }
}
