import {
  Ban,
  ChevronsRight,
  CircleCheck,
  CircleDashed,
  CirclePlay,
  CircleX,
  Clock,
  type IconNode,
  LoaderCircle,
  Lock,
  Timer,
  TriangleAlert,
} from 'lucide'

import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import styles from './status.module.css'
import tones from './tones.module.css'

/** Groups of statuses that share a color. */
type StatusTone = 'success' | 'warning' | 'failed' | 'running' | 'pending' | 'neutral'

interface StatusLook {
  icon: IconNode
  label: string
  tone: StatusTone
}

const LOOKS: Record<string, StatusLook> = {
  success: { icon: CircleCheck, label: 'passed', tone: 'success' },
  warning: { icon: TriangleAlert, label: 'passed with warnings', tone: 'warning' },
  failed: { icon: CircleX, label: 'failed', tone: 'failed' },
  running: { icon: LoaderCircle, label: 'running', tone: 'running' },
  pending: { icon: Clock, label: 'pending', tone: 'pending' },
  waiting_for_resource: { icon: Lock, label: 'waiting for resource', tone: 'pending' },
  waiting_for_callback: { icon: Clock, label: 'waiting for callback', tone: 'pending' },
  preparing: { icon: CircleDashed, label: 'preparing', tone: 'neutral' },
  created: { icon: CircleDashed, label: 'created', tone: 'neutral' },
  manual: { icon: CirclePlay, label: 'manual', tone: 'neutral' },
  scheduled: { icon: Timer, label: 'delayed', tone: 'neutral' },
  canceling: { icon: Ban, label: 'canceling', tone: 'neutral' },
  canceled: { icon: Ban, label: 'canceled', tone: 'neutral' },
  // A deployment whose manual job has not been started.
  blocked: { icon: CirclePlay, label: 'manual', tone: 'neutral' },
  skipped: { icon: ChevronsRight, label: 'skipped', tone: 'neutral' },
}

const UNKNOWN: StatusLook = { icon: CircleDashed, label: 'unknown', tone: 'neutral' }

/** Icon, word and color of a status of pipelines, stages, jobs and deployments. */
export function statusLook(status: string): StatusLook {
  return LOOKS[status] ?? { ...UNKNOWN, label: status.replaceAll('_', ' ') }
}

/** A job that failed and may fail is a warning. */
export function shownStatus({ status, allow_failure }: { status: string; allow_failure?: boolean }): string {
  return status === 'failed' && allow_failure ? 'warning' : status
}

interface StatusProps {
  status: string
  /** Replaces the word of the status. */
  label?: string | undefined
}

/** The icon alone; its label is read by screen readers, unless a text beside it names the status. */
export function StatusIcon({
  status,
  label,
  size = 16,
  isDecoration = false,
}: StatusProps & { size?: number; isDecoration?: boolean }) {
  const look = statusLook(status)
  const moves = status === 'running' && styles['moving']
  return (
    <span class={classNames(styles['icon'], tones[look.tone], moves)} title={label ?? look.label}>
      <Icon icon={look.icon} size={size} label={isDecoration ? undefined : (label ?? look.label)} />
    </span>
  )
}

/** Icon and word on a colored ground. */
export function StatusBadge({ status, label }: StatusProps) {
  const look = statusLook(status)
  const moves = status === 'running' && styles['moving']
  return (
    <span class={classNames(styles['badge'], tones[look.tone], moves)}>
      <Icon icon={look.icon} size={14} />
      {label ?? look.label}
    </span>
  )
}
