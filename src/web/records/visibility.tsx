import { Globe, type IconNode, Lock, ShieldHalf } from 'lucide'

import { Badge } from '../kit/badge.js'
import { Icon } from '../kit/icon.js'

interface VisibilityLook {
  icon: IconNode
  label: string
  /** Who sees it. */
  meaning: string
}

const LOOKS: Record<string, VisibilityLook> = {
  private: { icon: Lock, label: 'Private', meaning: 'Members see it' },
  internal: { icon: ShieldHalf, label: 'Internal', meaning: 'Every signed-in user sees it' },
  public: { icon: Globe, label: 'Public', meaning: 'Everyone sees it, also without an account' },
}

const UNKNOWN: VisibilityLook = { icon: Lock, label: 'Unknown', meaning: '' }

export function visibilityLook(visibility: string): VisibilityLook {
  return LOOKS[visibility] ?? UNKNOWN
}

/** Icon and word of who may see a project or group. */
export function VisibilityBadge({ visibility }: { visibility: string }) {
  const { icon, label, meaning } = visibilityLook(visibility)
  return (
    <Badge title={meaning}>
      <Icon icon={icon} size={12} />
      {label}
    </Badge>
  )
}

/** The icon alone, with the word as its label. */
export function VisibilityIcon({ visibility, size = 14 }: { visibility: string; size?: number }) {
  const { icon, label, meaning } = visibilityLook(visibility)
  return (
    <span title={`${label}: ${meaning}`}>
      <Icon icon={icon} size={size} label={label} />
    </span>
  )
}
