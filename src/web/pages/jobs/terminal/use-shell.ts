import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { type RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

import type { Ticket } from '../../../../coordinator/ci/terminals/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { ShellConnection } from './shell-connection.js'
import { styleSafely } from './style-safely.js'
import { handlesKey } from './terminal-keys.js'
import { readTheme, watchTheme } from './terminal-theme.js'

export type ShellState =
  | { kind: 'connecting' }
  /** `warning`: the shell ends soon. */
  | { kind: 'open'; warning?: string | undefined }
  | { kind: 'ended'; reason: string }

interface Shell {
  /** The element that shows the terminal. */
  host: RefObject<HTMLDivElement | null>
  state: ShellState
  /** Opens another shell after the end of the last one. */
  connect: () => void
}

interface ShellOptions {
  /** The job in the API, such as `/projects/5/jobs/9`. */
  base: string
  readsAloud: boolean
  /** The keys that take the focus out of the terminal were pressed. */
  onLeave: () => void
  /** A shell has ended. */
  onEnd: () => void
}

/** A terminal with a shell in a job. It begins with the component, and ends with it. */
export function useShell({ base, readsAloud, onLeave, onEnd }: ShellOptions): Shell {
  const host = useRef<HTMLDivElement>(null)
  const terminal = useRef<Terminal | undefined>(undefined)
  const connection = useRef<ShellConnection | undefined>(undefined)
  const latest = useRef({ onLeave, onEnd })
  latest.current = { onLeave, onEnd }
  const [state, setState] = useState<ShellState>({ kind: 'connecting' })

  const connect = useCallback(async () => {
    const screen = terminal.current
    if (!screen) return
    setState({ kind: 'connecting' })
    const end = (reason: string) => {
      if (terminal.current !== screen) return
      connection.current = undefined
      screen.options.disableStdin = true
      setState({ kind: 'ended', reason })
      latest.current.onEnd()
    }
    try {
      const body = { columns: screen.cols, rows: screen.rows }
      const ticket = await requestJson<Ticket>(`${base}/terminal`, { method: 'POST', body })
      // The page may have been left.
      if (terminal.current !== screen) return
      screen.reset()
      screen.options.disableStdin = false
      const opened = new ShellConnection(ticket, {
        onOutput: (bytes) => {
          screen.write(bytes)
          setState((before) => (before.kind === 'open' ? before : { kind: 'open' }))
        },
        onWarning: (warning) =>
          setState((before) =>
            before.kind === 'open' && before.warning !== warning ? { kind: 'open', warning } : before,
          ),
        onEnd: end,
      })
      connection.current = opened
      screen.focus()
    } catch (error) {
      end(error instanceof Error ? error.message : String(error))
    }
  }, [base])

  useEffect(() => {
    const element = host.current
    if (!element) return
    const endStyles = styleSafely(boot.style_nonce)
    const screen = createTerminal()
    terminal.current = screen
    const fit = new FitAddon()
    screen.loadAddon(fit)
    screen.open(element)
    fit.fit()
    screen.attachCustomKeyEventHandler((event) => handlesKey(screen, event, () => latest.current.onLeave()))
    screen.onData((text) => connection.current?.type(text))
    screen.onBinary((bytes) => connection.current?.type(bytes, true))
    screen.onResize(({ cols, rows }) => connection.current?.resize({ columns: cols, rows }))
    const observer = new ResizeObserver(() => fit.fit())
    observer.observe(element)
    const unwatch = watchTheme(() => (screen.options.theme = readTheme()))
    void connect()
    return () => {
      terminal.current = undefined
      unwatch()
      observer.disconnect()
      connection.current?.close()
      connection.current = undefined
      screen.dispose()
      endStyles()
    }
  }, [connect])

  useEffect(() => {
    if (terminal.current) terminal.current.options.screenReaderMode = readsAloud
  }, [readsAloud])

  return { host, state, connect: () => void connect() }
}

/** Least contrast of a text with what is behind it (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5

function createTerminal(): Terminal {
  const style = getComputedStyle(document.documentElement)
  return new Terminal({
    theme: readTheme(),
    minimumContrastRatio: LEAST_CONTRAST,
    fontFamily: style.getPropertyValue('--mono'),
    fontSize: 13,
    scrollback: 5000,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
}
