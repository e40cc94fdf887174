import type { Registry } from 'prom-client'

import type { Logger } from '../../../lib/logger.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { enableMail } from '../../integrations/mail/mail-context.js'
import { MailWorker } from '../../integrations/mail/mail-worker.js'
import { writeMovedProjectMails } from '../../integrations/mail/moved-project-mails.js'
import { NoticeWorker } from '../../integrations/mail/notice-worker.js'
import { type PipelineMailDeps, writePipelineMails } from '../../integrations/mail/pipeline-mails.js'
import { writeReleaseMails } from '../../integrations/mail/release-mails.js'
import { type MailTransport, smtpTransport } from '../../integrations/mail/smtp-transport.js'
import { writeNoteMails } from '../../planning/notifications/note-mails.js'
import { writePlanningMails } from '../../planning/notifications/planning-mails.js'
import type { CoordinatorSettings } from '../config/settings.js'

/** Finds who gets mails, and sends them. */
export interface MailWorkers {
  notices: NoticeWorker
  mails: MailWorker
  /** For mails whose sender waits. */
  transport: MailTransport
}

interface MailDeps {
  settings: Pick<CoordinatorSettings, 'mail'>
  database: Database
  secrets: SecretBox
  metrics: Registry
  logger: Logger
  externalUrl: string
  logFailure: PipelineMailDeps['logFailure']
}

/** Changes send mails from now on. Undefined if the settings name no mail server. */
export function createMailWorkers({
  settings,
  database,
  secrets,
  metrics,
  logger,
  externalUrl,
  logFailure,
}: MailDeps): MailWorkers | undefined {
  if (!settings.mail) return undefined
  const writing = { database, secrets, externalUrl }
  const notices = new NoticeWorker({
    database,
    logger,
    write: {
      issue: ({ facts }) => writePlanningMails(writing, { kind: 'issue', facts }),
      merge_request: ({ facts }) => writePlanningMails(writing, { kind: 'merge_request', facts }),
      note: ({ facts }) => writeNoteMails(writing, facts),
      pipeline: (notice) => writePipelineMails({ ...writing, logFailure }, notice),
      release: (notice) => writeReleaseMails(writing, notice),
      moved_project: (notice) => writeMovedProjectMails(writing, notice),
    },
  })
  const transport = smtpTransport(settings.mail)
  const mails = new MailWorker({ database, secrets, transport, metrics, logger })
  enableMail(database, {
    secrets,
    externalUrl,
    onMail: () => mails.wake(),
    onNotice: () => notices.wake(),
  })
  return { notices, mails, transport }
}
