import { projectApi } from '../../../addresses/first-reads.js'
import { useRead } from '../../api/use-read.js'
import styles from './languages.module.css'

/** Colors that differ on both grounds. Words beside them give the same information. */
const HUES = [222, 38, 150, 340, 190, 275]
const MOST = HUES.length - 1

/** Shares of the languages, as a bar and in words. */
export function Languages({ project }: { project: string }) {
  const { data } = useRead<Record<string, number>>(`${projectApi(project)}/languages`, { staleTime: 60_000 })
  const shares = withOther(Object.entries(data ?? {}))
  if (shares.length === 0) return null
  return (
    <section>
      <h2>Languages</h2>
      <div class={styles['bar']} aria-hidden="true">
        {shares.map(([name, share], index) => (
          <span key={name} style={{ width: `${share}%`, background: colorOf(index) }} />
        ))}
      </div>
      <ul class={styles['names']}>
        {shares.map(([name, share], index) => (
          <li key={name}>
            <span class={styles['dot']} style={{ background: colorOf(index) }} />
            {name} <span class={styles['share']}>{share.toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The largest shares, and the sum of the others. */
function withOther(shares: [string, number][]): [string, number][] {
  if (shares.length <= HUES.length) return shares
  const other = shares.slice(MOST).reduce((sum, [, share]) => sum + share, 0)
  return [...shares.slice(0, MOST), ['Other', other]]
}

function colorOf(index: number): string {
  return `hsl(${HUES[index] ?? 0} 58% 52%)`
}
