import { addressOf } from '../../../addresses/address-of.js'
import styles from './crumbs.module.css'

interface CrumbsProps {
  project: string
  refName: string
  path: string
}

/** The path of a file or folder, each folder above it as a link. */
export function Crumbs({ project, refName, path }: CrumbsProps) {
  const segments = path === '' ? [] : path.split('/')
  const at = (count: number) =>
    addressOf('code/tree', { project, ref_path: [refName, ...segments.slice(0, count)].join('/') })
  const root = project.slice(project.lastIndexOf('/') + 1)
  return (
    <span class={styles['crumbs']}>
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
