import { addressOf } from '../../../addresses/address-of.js'
import { PathCrumbs } from '../../code/path-crumbs.js'
import styles from './crumbs.module.css'
import { joinRefPath } from './split-ref-path.js'

interface CrumbsProps {
  project: string
  refName: string
  path: string
}

/** The path of a file or folder of the repository. */
export function Crumbs({ project, refName, path }: CrumbsProps) {
  return (
    <PathCrumbs
      root={project.slice(project.lastIndexOf('/') + 1)}
      path={path}
      hrefOf={(folder) => addressOf('code/tree', { project, ref_path: joinRefPath(refName, folder) })}
      class={styles['crumbs']}
    />
  )
}
