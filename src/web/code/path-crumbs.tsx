import { classNames } from '../kit/class-names.js'
import styles from './path-crumbs.module.css'

interface PathCrumbsProps {
  /** Word for the top, in which the path begins. */
  root: string
  /** Empty for the top. */
  path: string
  /** The address of a folder above; its path is empty for the top. */
  hrefOf: (folder: string) => string
  class?: string | undefined
}

/** The path of a file or folder, each folder above it as a link. */
export function PathCrumbs({ root, path, hrefOf, class: className }: PathCrumbsProps) {
  const segments = path === '' ? [] : path.split('/')
  const at = (count: number) => hrefOf(segments.slice(0, count).join('/'))
  return (
    <span class={classNames(styles['crumbs'], className)}>
      {segments.length === 0 ? <span>{root}</span> : <a href={at(0)}>{root}</a>}
      {segments.map((segment, index) => (
        <span key={index} class={styles['crumb']}>
          <span class={styles['slash']}>/</span>
          {index === segments.length - 1 ? <span>{segment}</span> : <a href={at(index + 1)}>{segment}</a>}
        </span>
      ))}
    </span>
  )
}
