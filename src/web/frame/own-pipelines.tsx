import { LoaderCircle } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { PipelineEverywhere } from '../../coordinator/ci/pipelines/everywhere/schema.js'
import type { BootUser } from '../../coordinator/pages/schema.js'
import { useRead } from '../api/use-read.js'
import { Icon } from '../kit/icon.js'
import { Menu, MenuItem } from '../kit/menu.js'
import { useLive } from '../live/use-live.js'
import styles from './own-pipelines.module.css'

const MOST = 20
/** Statuses of pipelines that run or are about to. */
const UNDER_WAY = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'canceling',
])
const PATH = `/pipelines?mine=true&scope=running&per_page=${MOST}`

/** The number of pipelines that the user has started and that run, with a menu of them. */
export function OwnPipelines({ user }: { user: BootUser }) {
  const { data, refetch } = useRead<PipelineEverywhere[]>(PATH)
  useLive(
    ['me'],
    {
      pipeline: ({ id, user: starter, status }) => {
        if (starter?.id !== user.id) return
        const isListed = data?.some((pipeline) => pipeline.id === id) ?? false
        if (isListed !== UNDER_WAY.has(status)) void refetch()
      },
    },
    () => void refetch(),
  )
  if (!data || data.length === 0) return null
  const count = data.length < MOST ? String(data.length) : `${MOST}+`
  return (
    <Menu
      kind="ghost"
      name={`${count} running pipelines of yours`}
      label={
        <span class={styles['count']}>
          <Icon icon={LoaderCircle} size={15} />
          <span>
            {count}
            <span class={styles['word']}> running</span>
          </span>
        </span>
      }
    >
      {data.map(({ id, ref, project }) => (
        <MenuItem
          key={id}
          href={addressOf('pipelines/pipeline', { project: project.path_with_namespace, id: String(id) })}
        >
          {project.path_with_namespace} · {ref} · #{id}
        </MenuItem>
      ))}
    </Menu>
  )
}
