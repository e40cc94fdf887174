import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'

import { SWITCHYARD } from '../../../integration/support/processes.js'

/** A command of the compiled package at a terminal that `script` of util-linux provides. */
export class TerminalSession {
  private readonly changed = new EventEmitter()
  private readonly ended: Promise<unknown[]>
  private text = ''
  private seen = 0

  private constructor(private readonly child: ReturnType<typeof spawn>) {
    this.ended = once(child, 'close')
    child.stdout?.on('data', (chunk: Buffer) => {
      this.text += chunk.toString()
      this.changed.emit('change')
    })
    child.once('close', () => this.changed.emit('change'))
  }

  static start(args: string[], environment: Record<string, string> = {}): TerminalSession {
    const command = [process.execPath, SWITCHYARD, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
      env: { ...process.env, TERM: 'dumb', ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return new TerminalSession(child)
  }

  get output(): string {
    return this.text.replaceAll('\r', '')
  }

  /** Waits until `prompt` appears after the previous prompt, and types the answer. */
  async answer(prompt: string, typed: string): Promise<void> {
    while (this.text.indexOf(prompt, this.seen) === -1) {
      if (this.child.exitCode !== null) throw new Error(`Ended without "${prompt}":\n${this.text}`)
      await once(this.changed, 'change')
    }
    this.seen = this.text.indexOf(prompt, this.seen) + prompt.length
    this.child.stdin?.write(typed)
  }

  async exitCode(): Promise<number | null> {
    await this.ended
    return this.child.exitCode
  }
}
