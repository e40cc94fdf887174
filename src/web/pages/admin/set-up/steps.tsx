import type { ComponentType } from 'preact'

import { addressOf } from '../../../../addresses/address-of.js'
import type { SetUp } from '../../../../coordinator/instance/set-up/schema.js'
import { boot } from '../../../api/boot.js'
import { Alert } from '../../../kit/alert.js'
import { LinkButton } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { GroupStep } from './group-step.js'
import { MailStep } from './mail-step.js'
import styles from './page.module.css'
import { RunnerStep } from './runner-step.js'

/** The path of the set-up in the API. */
export const SET_UP = '/admin/set_up'

export type Step = SetUp['steps'][number]

interface StepView {
  title: string
  Body: ComponentType<{ step: Step; sendsMails: boolean }>
}

/** What each step shows below its message. */
export const STEP_VIEWS: Record<Step['name'], StepView> = {
  address: { title: 'Address and TLS', Body: AddressStep },
  mail: { title: 'Mail', Body: MailStep },
  sign_in: { title: 'Sign-in', Body: SignInStep },
  group: { title: 'First group', Body: GroupStep },
  runner: { title: 'First runner', Body: RunnerStep },
  project: { title: 'First project', Body: ProjectStep },
  backup: { title: 'Backups', Body: BackupStep },
}

function AddressStep({ step: { state } }: { step: Step }) {
  const { origin } = window.location
  const isOther = origin !== new URL(boot.external_url).origin
  const own = new URL(isOther ? origin : boot.external_url)
  const wanted = own.protocol === 'https:' ? own.origin : 'https://switchyard.example.com'
  return (
    <>
      {isOther && (
        <Alert tone="warning" title={`This browser uses ${origin}.`}>
          Links, clone addresses and runners use {boot.external_url}. Both should be the same.
        </Alert>
      )}
      {(isOther || state !== 'done') && (
        <>
          <p>
            Let a proxy terminate TLS (the package has an example for nginx, <code>config/nginx.conf</code>),
            set the address in <code>coordinator.toml</code>, and restart the coordinator:
          </p>
          <CodeBlock label="setting of the address" text={`external_url = "${wanted}"`} />
        </>
      )}
    </>
  )
}

function SignInStep() {
  return (
    <ul class={styles['links']}>
      <li>
        <a href={addressOf('account/profile', {})}>Your name and e-mail address</a>
      </li>
      <li>
        <a href={addressOf('account/password', {})}>A password</a>
      </li>
      <li>
        <a href={addressOf('account/two-factor', {})}>A second factor, or a passkey</a>
      </li>
      <li>
        <a href="/users/auth" data-reload="">
          Identity providers
        </a>
        : OpenID Connect, SAML and LDAP, set in <code>coordinator.toml</code>, and tried there
      </li>
      <li>
        <a href={addressOf('admin/settings', {})}>Who may create an account</a>: nobody by default
      </li>
    </ul>
  )
}

function ProjectStep() {
  return (
    <div class={styles['buttons']}>
      <LinkButton href={addressOf('projects/new', {}, {}, '#import')}>Import by URL</LinkButton>
      <LinkButton href={addressOf('projects/new', {}, {}, '#archive')}>Import an archive</LinkButton>
      <LinkButton href={addressOf('groups/import', {})}>Import a whole group</LinkButton>
      <LinkButton href={addressOf('projects/new', {}, {}, '#blank')}>Create an empty one</LinkButton>
    </div>
  )
}

const BACKUP = `switchyard admin backup /backup --data-dir /var/lib/switchyard --keep 14`
const TIMER = `sudo systemctl enable --now switchyard-backup.timer`

function BackupStep() {
  return (
    <>
      <p>
        Make the first one on the machine of the coordinator, as its user. The place is a folder on another
        disk, or a bucket:
      </p>
      <CodeBlock label="command to back up" text={BACKUP} />
      <p>
        Then once a day: name the place in <code>/etc/switchyard/backup.env</code>, and start the timer.
      </p>
      <CodeBlock label="command to start the timer" text={TIMER} />
      <p>
        <a href={addressOf('admin/backups', {})}>Backups</a> shows the last one.
      </p>
    </>
  )
}
