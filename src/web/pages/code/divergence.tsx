import { addressOf } from '../../../addresses/address-of.js'
import { formatCount } from '../../kit/bytes.js'
import styles from './divergence.module.css'

interface DivergenceProps {
  project: string
  /** The default branch. */
  base: string
  branch: string
  ahead: number
  behind: number
}

/** How many commits a branch is behind the default branch and ahead of it: two bars around a line, and numbers. */
export function DivergenceBars({ project, base, branch, ahead, behind }: DivergenceProps) {
  return (
    <a
      class={styles['divergence']}
      href={addressOf('code/compare', { project, revisions: `${base}...${branch}` })}
      title={`${formatCount(behind)} commits behind ${base}, ${formatCount(ahead)} ahead`}
    >
      <span class="visually-hidden">{branch}: </span>
      <span class={styles['side']}>
        <span>
          {formatCount(behind)}
          <span class="visually-hidden"> commits behind {base}, </span>
        </span>
        <svg class={styles['bar']} viewBox="0 0 40 4" aria-hidden="true">
          <rect x={40 - widthOf(behind)} width={widthOf(behind)} height="4" rx="2" />
        </svg>
      </span>
      <span class={styles['side']}>
        <span>
          {formatCount(ahead)}
          <span class="visually-hidden"> ahead</span>
        </span>
        <svg class={styles['bar']} viewBox="0 0 40 4" aria-hidden="true">
          <rect width={widthOf(ahead)} height="4" rx="2" />
        </svg>
      </span>
    </a>
  )
}

/** By the order of magnitude: 1 is visible, and 1,000 fills the bar. */
function widthOf(count: number): number {
  return count === 0 ? 0 : Math.min(40, 6 + (Math.log10(count) / 3) * 34)
}
