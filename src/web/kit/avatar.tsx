import styles from './avatar.module.css'

const HUES = 12

interface AvatarProps {
  name: string
  url?: string | null | undefined
  /** Edge length, in pixels. */
  size?: number
  /** Projects and groups are squares, people are round. */
  isSquare?: boolean
}

/** The picture of a person, group or project; without one, the first letter on a color that follows from the name. */
export function Avatar({ name, url, size = 24, isSquare = false }: AvatarProps) {
  const radius = isSquare ? Math.round(size / 5) : size
  if (url) {
    return (
      <img
        class={styles['avatar']}
        src={url}
        alt=""
        width={size}
        height={size}
        style={{ borderRadius: `${radius}px` }}
      />
    )
  }
  const hue =
    (Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % HUES) *
    30
  return (
    <svg class={styles['avatar']} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect
        width="24"
        height="24"
        rx={(radius * 24) / size / (isSquare ? 1 : 2)}
        fill={`hsl(${hue} 42% 42%)`}
      />
      <text x="12" y="16.4" text-anchor="middle" font-size="12" font-weight="600" fill="#fff">
        {(Array.from(name.trim())[0] ?? '?').toUpperCase()}
      </text>
    </svg>
  )
}
