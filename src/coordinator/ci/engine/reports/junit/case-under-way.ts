import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { junitLimits } from './junit-limits.js'

/** Elements of a test case whose texts are stored. */
const PARTS = ['failure', 'error', 'skipped', 'system-out', 'system-err'] as const
type Part = (typeof PARTS)[number]

const ATTACHMENT = /\[\[ATTACHMENT\|(?<path>[^[\]|]+?)\]\]/

type Attributes = Readonly<Record<string, string>>

/** A `testcase` while its elements are read (CI language, 17.2). */
export class CaseUnderWay {
  private readonly texts = new Map<Part, string>()
  private readonly messages = new Map<Part, string>()
  private open: Part | undefined

  constructor(private readonly attributes: Attributes) {}

  /** An element directly below the case. */
  begin(element: string, attributes: Attributes): void {
    this.open = PARTS.find((part) => part === element)
    if (!this.open) return
    const { open, texts } = this
    if (!texts.has(open)) this.messages.set(open, attributes['message'] ?? '')
    texts.set(open, texts.has(open) ? `${texts.get(open) ?? ''}\n\n` : '')
  }

  end(): void {
    this.open = undefined
  }

  add(text: string): void {
    if (!this.open) return
    const present = this.texts.get(this.open) ?? ''
    if (present.length < junitLimits.text) this.texts.set(this.open, cut(present + text, junitLimits.text))
  }

  result(): TestCase {
    const { name = '', classname = '', file, time } = this.attributes
    return {
      status: this.status(),
      name: cut(name, junitLimits.name),
      classname: cut(classname, junitLimits.name),
      file: file === undefined ? null : cut(file, junitLimits.name),
      execution_time: secondsOf(time),
      system_output: this.output(),
      attachment: ATTACHMENT.exec(this.texts.get('system-out') ?? '')?.groups?.['path']?.trim() ?? null,
    }
  }

  private status(): TestCase['status'] {
    if (this.texts.has('failure')) return 'failed'
    if (this.texts.has('error')) return 'error'
    return this.texts.has('skipped') ? 'skipped' : 'success'
  }

  /** The output that explains a failure; null for a passed test. */
  private output(): string | null {
    switch (this.status()) {
      case 'failed':
        return this.story('failure')
      case 'error':
        return this.story('error')
      case 'skipped':
        return this.readElement('skipped') ?? null
      case 'success':
        return null
    }
  }

  private story(part: Part): string | null {
    const [out, err] = [this.readElement('system-out'), this.readElement('system-err')]
    const pieces = [this.readElement(part), out && `System Out:\n\n${out}`, err && `System Err:\n\n${err}`]
    return pieces.filter((piece) => piece !== undefined).join('\n\n') || null
  }

  /** The message replaces a missing text of an element. */
  private readElement(part: Part): string | undefined {
    return this.texts.get(part)?.trim() || this.messages.get(part)?.trim() || undefined
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}

/** Some tools write `1,234.5`; a value that is not a number is ignored. */
function secondsOf(time = ''): number {
  const seconds = Number(time.replaceAll(',', ''))
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}
