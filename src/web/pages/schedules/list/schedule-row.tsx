import { GitBranch, Pencil, Play, Power, PowerOff, Tag, Trash2, TriangleAlert, UserCheck } from 'lucide'
import { Fragment } from 'preact'
import { useMemo, useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedSchedule } from '../../../../coordinator/ci/schedules/schema.js'
import { describeCron } from '../../../../cron/describe-cron.js'
import { boot } from '../../../api/boot.js'
import { request } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button, IconButton } from '../../../kit/button.js'
import { classNames } from '../../../kit/class-names.js'
import { useNow } from '../../../kit/clock.js'
import { ConfirmDialog, Dialog } from '../../../kit/dialog.js'
import { Icon } from '../../../kit/icon.js'
import { Menu, MenuItem, MenuLine } from '../../../kit/menu.js'
import { relativeTime } from '../../../kit/relative-time.js'
import { StatusBadge } from '../../../kit/status.js'
import { Time } from '../../../kit/time.js'
import { UserLink } from '../../../records/user-link.js'
import { nextTimes } from '../next-times.js'
import { refName } from '../ref-name.js'
import styles from './page.module.css'

interface ScheduleRowProps {
  project: string
  schedule: DetailedSchedule
}

/** A schedule in the list, with what can be done with it. */
export function ScheduleRow({ project, schedule }: ScheduleRowProps) {
  const { id, description, active, owner, last_failure: failure, last_pipeline: last } = schedule
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [asks, setAsks] = useState<'delete' | 'take over'>()
  const base = `${projectApi(project)}/pipeline_schedules`
  const path = `${base}/${id}`
  const reread = () => refresh(base)
  const play = useAction(async () => {
    await request(`${path}/play`, { method: 'POST' })
    notify(`${description}: the pipeline was created`)
    await reread()
  }, notifyError)
  const turn = useAction(async (on: boolean) => {
    await request(path, { method: 'PUT', body: { active: on } })
    await reread()
  }, notifyError)
  const takeOver = useAction(async () => {
    await request(`${path}/take_ownership`, { method: 'POST' })
    if (!active) await request(path, { method: 'PUT', body: { active: true } })
    setAsks(undefined)
    await reread()
  }, notifyError)
  const remove = useAction(async () => {
    await request(path, { method: 'DELETE' })
    setAsks(undefined)
    notify(`${description} was deleted`)
    await reread()
  }, notifyError)

  const isOwn = owner !== null && owner.username === boot.user?.username
  const mayManage = may('manage_schedules')
  const mayTake = may('take_over_schedules') && !isOwn
  const reason = reasonAgainst('manage_schedules')
  const edit = addressOf('schedules/edit', { project, id: String(id) })
  const { name, isTag } = refName(schedule.ref)
  return (
    <li class={classNames(styles['schedule'], !active && styles['off'])}>
      <div class={styles['what']}>
        {mayManage && isOwn ? (
          <a class={styles['title']} href={edit} data-entry="">
            {description}
          </a>
        ) : (
          <span class={styles['title']}>{description}</span>
        )}
        <a class={styles['ref']} href={addressOf('code/commits', { project, ref_path: name })} title={name}>
          <Icon icon={isTag ? Tag : GitBranch} size={13} label={isTag ? 'Tag' : 'Branch'} />
          <span>{name}</span>
        </a>
      </div>
      <When schedule={schedule} />
      <div class={styles['last']}>
        {last ? (
          <>
            <a href={addressOf('pipelines/pipeline', { project, id: String(last.id) })}>
              <StatusBadge status={last.status} />
              <span class={styles['id']}>#{last.id}</span>
            </a>
            <span class={styles['quiet']}>
              <Time value={last.created_at} />
            </span>
          </>
        ) : (
          <span class={styles['quiet']}>no pipeline yet</span>
        )}
      </div>
      <div class={styles['owner']}>
        <UserLink user={owner} />
      </div>
      <div class={styles['actions']}>
        {mayManage && (
          <IconButton
            icon={Play}
            kind="plain"
            label={`Run ${description} now`}
            isBusy={play.isBusy}
            reason={reason}
            onClick={() => void play.run()}
          />
        )}
        {mayManage && (isOwn || mayTake) && (
          <Menu kind="ghost" name={`Actions for ${description}`}>
            {isOwn && (
              <>
                <MenuItem icon={Pencil} href={edit}>
                  Edit
                </MenuItem>
                <MenuItem
                  icon={active ? PowerOff : Power}
                  reason={reason}
                  isChange
                  onSelect={() => void turn.run(!active)}
                >
                  {active ? 'Switch off' : 'Switch on'}
                </MenuItem>
              </>
            )}
            {mayTake && (
              <MenuItem icon={UserCheck} reason={reason} onSelect={() => setAsks('take over')}>
                Take over
              </MenuItem>
            )}
            <MenuLine />
            <MenuItem icon={Trash2} isDangerous onSelect={() => setAsks('delete')}>
              Delete
            </MenuItem>
          </Menu>
        )}
      </div>
      {failure !== null && (
        <div class={styles['failure']}>
          <Icon icon={TriangleAlert} size={15} />
          <p>
            {active ? (
              <>
                <strong>The last run created no pipeline.</strong> {failure}
              </>
            ) : (
              <>
                <strong>Deactivated, because its owner may not run it.</strong> {failure}
              </>
            )}
          </p>
          {!active && mayTake && (
            <Button size="small" icon={UserCheck} reason={reason} onClick={() => setAsks('take over')}>
              Take over
            </Button>
          )}
        </div>
      )}
      {asks === 'take over' && (
        <Dialog
          title={`Take over ${description}?`}
          onClose={() => setAsks(undefined)}
          actions={
            <>
              <Button onClick={() => setAsks(undefined)}>Cancel</Button>
              <Button kind="primary" isBusy={takeOver.isBusy} onClick={() => void takeOver.run()}>
                {active ? 'Take over' : 'Take over and switch on'}
              </Button>
            </>
          }
        >
          <p>
            Its pipelines then run with your permissions instead of those of {owner?.name ?? 'its owner'}.
          </p>
        </Dialog>
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title={`Delete ${description}?`}
          action="Delete schedule"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={() => setAsks(undefined)}
        >
          <p>The schedule and its variables are deleted. Its pipelines stay.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

function When({ schedule: { cron, cron_timezone: zone, active } }: { schedule: DetailedSchedule }) {
  const now = useNow(true)
  const words = describeCron(cron)
  const minute = Math.floor(now / 60_000) * 60_000
  const times = useMemo(() => (active ? nextTimes(cron, zone, minute) : []), [cron, zone, active, minute])
  const [first] = times
  return (
    <div class={styles['when']}>
      <p class={styles['words']} title={cron}>
        {words ?? <code>{cron}</code>}, {zone} {!active && <Badge>off</Badge>}
      </p>
      {first && (
        <p class={styles['quiet']}>
          next {relativeTime(first.at, now)}:{' '}
          {times.map(({ at, text }, index) => (
            <Fragment key={at}>
              <span class={styles['time']}>{text}</span>
              {index < times.length - 1 && ' · '}
            </Fragment>
          ))}
        </p>
      )}
    </div>
  )
}
