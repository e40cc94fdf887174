import '@xterm/xterm/css/xterm.css'

import { useRef, useState } from 'preact/hooks'

import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { CheckBox } from '../../../kit/field.js'
import styles from './screen.module.css'
import { type ShellState, useShell } from './use-shell.js'

interface ScreenProps {
  /** The job in the API, such as `/projects/5/jobs/9`. */
  base: string
  /** A shell has ended. */
  onEnd: () => void
}

/** A terminal with a shell, and what is to know about it. */
export function Screen({ base, onEnd }: ScreenProps) {
  const [readsAloud, setReadsAloud] = useState(readsAloudHere)
  const after = useRef<HTMLDivElement>(null)
  const { host, state, connect } = useShell({
    base,
    readsAloud,
    onLeave: () => after.current?.querySelector('input')?.focus(),
    onEnd,
  })
  return (
    <>
      <p class={styles['note']}>
        What the shell prints is not masked: it may show secrets of the job. It is not stored.
      </p>
      <section class={styles['terminal']} aria-label="Terminal">
        <div ref={host} class={styles['host']} />
      </section>
      <div role="status">
        <Status state={state} connect={connect} />
      </div>
      <div ref={after} class={styles['below']}>
        <CheckBox
          label="For screen readers"
          checked={readsAloud}
          onInput={(isOn) => {
            localStorage.setItem(READS_ALOUD, String(isOn))
            setReadsAloud(isOn)
          }}
        />
        <p class={styles['keys']}>
          <kbd>Ctrl Shift Esc</kbd> or <kbd>Shift F6</kbd> leaves the terminal. <kbd>Ctrl C</kbd> copies what
          is selected, <kbd>Ctrl V</kbd> pastes.
        </p>
      </div>
    </>
  )
}

function Status({ state, connect }: { state: ShellState; connect: () => void }) {
  switch (state.kind) {
    case 'connecting':
      return <p class={styles['note']}>Connecting to the container…</p>
    case 'open':
      return state.warning === undefined ? null : (
        <Alert tone="warning">{state.warning}. Any key keeps it open.</Alert>
      )
    case 'ended':
      return <Alert actions={<Button onClick={connect}>Connect again</Button>}>{state.reason}.</Alert>
  }
}

/** Chosen on this device. */
const READS_ALOUD = 'switchyard_terminal_reads_aloud'

function readsAloudHere(): boolean {
  return localStorage.getItem(READS_ALOUD) === 'true'
}
