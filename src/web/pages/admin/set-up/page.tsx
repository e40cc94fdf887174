import { CircleCheck, CircleDashed, CircleMinus } from 'lucide'
import { useId, useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { SetUp } from '../../../../coordinator/instance/set-up/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { patch, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { classNames } from '../../../kit/class-names.js'
import { Icon } from '../../../kit/icon.js'
import { Box, PageHeader } from '../../../kit/panel.js'
import styles from './page.module.css'
import { SET_UP, type Step, STEP_VIEWS } from './steps.js'

/** The first hour of an administrator: what a new installation needs, step by step. */
export function Page() {
  useTitle('Set up this instance')
  // So that a runner that connects, or a backup that completes, is shown without a reload.
  const setUp = useRead<SetUp>(SET_UP, { refetchInterval: 3000 })
  return (
    <>
      <PageHeader
        title="Set up this instance"
        details="Each step can be skipped, and this page shows what is done at any time."
      />
      <Read of={setUp}>{(state) => <Steps state={state} />}</Read>
    </>
  )
}

function Steps({ state: { steps, finished, sends_mails: sendsMails } }: { state: SetUp }) {
  const firstOpen = steps.find(({ state }) => state === 'open')?.name
  const [chosen, setChosen] = useState<string | null>()
  const shown = chosen === undefined ? firstOpen : chosen
  const left = steps.filter(({ state }) => state === 'open').length
  return (
    <div class={styles['page']}>
      <p role="status" class={styles['progress']}>
        {left === 0
          ? 'No step is open.'
          : `${left} of ${steps.length} steps ${left === 1 ? 'is' : 'are'} open.`}
      </p>
      <ol class={styles['steps']} aria-label="Steps">
        {steps.map((step) => (
          <li key={step.name}>
            <StepBox
              step={step}
              isShown={step.name === shown}
              sendsMails={sendsMails}
              onToggle={() => setChosen(step.name === shown ? null : step.name)}
              onSkip={() => setChosen(undefined)}
            />
          </li>
        ))}
      </ol>
      <End isFinished={finished} />
    </div>
  )
}

const STATES = {
  done: { icon: CircleCheck, word: 'done' },
  skipped: { icon: CircleMinus, word: 'skipped' },
  open: { icon: CircleDashed, word: 'open' },
}

interface StepBoxProps {
  step: Step
  isShown: boolean
  sendsMails: boolean
  onToggle: () => void
  onSkip: () => void
}

function StepBox({ step, isShown, sendsMails, onToggle, onSkip }: StepBoxProps) {
  const id = useId()
  const { title, Body } = STEP_VIEWS[step.name]
  const { icon, word } = STATES[step.state]
  return (
    <Box>
      <h2 class={styles['heading']}>
        <button
          type="button"
          class={styles['toggle']}
          aria-expanded={isShown}
          aria-controls={id}
          onClick={onToggle}
        >
          <span class={classNames(styles['state'], styles[step.state])}>
            <Icon icon={icon} size={20} />
          </span>
          <span class={styles['title']}>{title}</span>
          <span class={styles['word']}>{word}</span>
        </button>
      </h2>
      <div id={id} class={styles['body']} hidden={!isShown}>
        <p>{step.message}</p>
        <Body step={step} sendsMails={sendsMails} />
        <Skip step={step} onDone={onSkip} />
      </div>
    </Box>
  )
}

function Skip({ step: { name, state }, onDone }: { step: Step; onDone: () => void }) {
  const skip = useAction(async () => {
    const body = { skipped: state === 'open' }
    const changed = await requestJson<SetUp>(`${SET_UP}/steps/${name}`, { method: 'PUT', body })
    patch<SetUp>(SET_UP, () => changed)
    onDone()
  })
  if (state === 'done') return null
  return (
    <>
      {skip.error && <Alert tone="error" title={skip.error.message} />}
      <div>
        <Button kind="ghost" isBusy={skip.isBusy} onClick={() => void skip.run()}>
          {state === 'open' ? 'Skip this step' : 'Take this step up again'}
        </Button>
      </div>
    </>
  )
}

/** Until the set-up is ended, administrators see this page after they have signed in. */
function End({ isFinished }: { isFinished: boolean }) {
  const end = useAction(async () => {
    const body = { finished: !isFinished }
    const changed = await requestJson<SetUp>(SET_UP, { method: 'PUT', body })
    patch<SetUp>(SET_UP, () => changed)
    if (!isFinished) navigate('/')
  })
  return (
    <>
      {end.error && <Alert tone="error" title={end.error.message} />}
      <div class={styles['end']}>
        <Button kind={isFinished ? 'plain' : 'primary'} isBusy={end.isBusy} onClick={() => void end.run()}>
          {isFinished ? 'Show this page after the sign-in' : 'End the set-up'}
        </Button>
        <p>
          {isFinished
            ? 'The set-up has ended.'
            : 'Until then, administrators see this page after they have signed in.'}{' '}
          It stays in the <a href={addressOf('admin/overview', {})}>administration</a>.
        </p>
      </div>
    </>
  )
}
