import { Archive } from 'lucide'

import type {
  BackupReports,
  LastBackup,
  LastVerification,
} from '../../../../coordinator/backup/reports/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Badge } from '../../../kit/badge.js'
import { formatBytes, formatCount } from '../../../kit/bytes.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { formatDuration, secondsBetween } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { Fact, Facts } from '../../../records/facts.js'
import styles from './page.module.css'
import { verificationOf } from './verification.js'

const COMMANDS = `switchyard admin backup /backup --data-dir /var/lib/switchyard --keep 14
switchyard admin verify-backup /backup --data-dir /var/lib/switchyard`

/** The last backup of the installation, and how to make one. */
export function Page() {
  useTitle('Backups')
  const reports = useRead<BackupReports>('/admin/backups', { refetchInterval: 30_000 })
  return (
    <>
      <PageHeader title="Backups" details="What the commands that back up this installation did last." />
      <Read of={reports}>
        {(state) => (
          <Panels>
            {state.problems.map((problem) => (
              <Alert key={problem} tone="error">
                {problem}
              </Alert>
            ))}
            <Backup reports={state} />
            {state.last_verification && <Check check={state.last_verification} />}
            <Panel title="Back up">
              <div class={styles['how']}>
                <p>
                  Run these commands on the machine of a coordinator, as its user, while everything runs; once
                  a day, for example. They take <code>--config</code> as the coordinator does. The place is a
                  folder on another disk, or a bucket.
                </p>
                <CodeBlock label="commands to back up" text={COMMANDS} />
                <p class={styles['quiet']}>
                  A backup contains the key that decrypts the secrets of the database. Keep it as secret as
                  the installation.
                </p>
              </div>
            </Panel>
          </Panels>
        )}
      </Read>
    </>
  )
}

const STATES = {
  sound: <Badge tone="success">verified, sound</Badge>,
  damaged: <Badge tone="failed">verified, damaged</Badge>,
  unchecked: <Badge tone="warning">not verified</Badge>,
}

function Backup({ reports }: { reports: BackupReports }) {
  const backup = reports.last_backup
  if (!backup) {
    return (
      <Panel isFlush title="Last backup">
        <Empty icon={Archive} title="There is no record of a backup.">
          The coordinator knows of a backup once the command has completed it.
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel title="Last backup" actions={STATES[verificationOf(reports)]}>
      <Facts class={styles['facts']}>
        <When of={backup} />
        <Fact title="Size">
          {formatBytes(backup.size)} in {formatCount(backup.files)} files and the database
        </Fact>
        <Fact title="Copied">
          {formatBytes(backup.new_size)} in {formatCount(backup.new_files)} files that were new
        </Fact>
        <Fact title="Missing">
          {backup.missing_files === 0
            ? 'nothing'
            : `${formatCount(backup.missing_files)} files that the installation itself lacked`}
        </Fact>
      </Facts>
    </Panel>
  )
}

function Check({ check }: { check: LastVerification }) {
  const { files, repositories, problem_count: count, problems } = check
  return (
    <Panel title="Last verification">
      <Facts class={styles['facts']}>
        <When of={check} />
        <Fact title="Verified">
          {formatCount(files)} files, {formatCount(repositories)} repositories and the database
        </Fact>
        <Fact title="Problems">{count === 0 ? 'none' : formatCount(count)}</Fact>
      </Facts>
      {problems.length > 0 && (
        <ul class={styles['problems']} aria-label="Problems">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {count > problems.length && <p class={styles['quiet']}>The command prints the others.</p>}
    </Panel>
  )
}

function When({
  of: { finished_at: at, started_at: from, place, name },
}: {
  of: LastBackup | LastVerification
}) {
  return (
    <>
      <Fact title="When">
        <Time value={at} />
      </Fact>
      <Fact title="Took">{formatDuration(secondsBetween(from, at, 0) ?? 0)}</Fact>
      <Fact title="Where">
        <code>{place}</code>
      </Fact>
      <Fact title="Name">
        <code>{name}</code>
      </Fact>
    </>
  )
}
