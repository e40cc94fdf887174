import { ChevronDown, ChevronRight, FileText, Folder } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { Button, IconButton } from '../../kit/button.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import type { TreeNode } from './page-tree.js'
import { pageAddress, type WikiOwner } from './wiki-owner.js'
import styles from './wiki-tree.module.css'

interface WikiTreeProps {
  owner: WikiOwner
  nodes: readonly TreeNode[]
  /** The page that is shown. */
  current?: string | undefined
}

/** Of a folder with more entries, the others are shown on request. */
const MAX_SHOWN = 200

/** The pages of a wiki in folders, which can be folded. */
export function WikiTree({ owner, nodes, current }: WikiTreeProps) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? nodes : nodes.slice(0, MAX_SHOWN)
  return (
    <ul class={styles['tree']}>
      {shown.map((node) =>
        node.children.length === 0 ? (
          <li key={node.slug}>
            <Name owner={owner} node={node} current={current} />
          </li>
        ) : (
          <FolderOfPages key={node.slug} owner={owner} node={node} current={current} />
        ),
      )}
      {shown.length < nodes.length && (
        <li>
          <Button size="small" kind="ghost" onClick={() => setShowsAll(true)}>
            {nodes.length - shown.length} more
          </Button>
        </li>
      )}
    </ul>
  )
}

interface NodeProps extends Omit<WikiTreeProps, 'nodes'> {
  node: TreeNode
}

/** Folders with more pages are folded at first. */
const MAX_OPEN = 20

function FolderOfPages(props: NodeProps) {
  const { owner, node, current } = props
  const isAround = current?.startsWith(`${node.slug}/`) === true
  const [isOpen, setOpen] = useState(node.children.length <= MAX_OPEN)
  useEffect(() => {
    if (isAround) setOpen(true)
  }, [isAround])
  return (
    <li>
      <div class={styles['folder']}>
        <Name {...props} />
        <IconButton
          size="small"
          icon={isOpen ? ChevronDown : ChevronRight}
          label={`Pages in ${node.name}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && <WikiTree owner={owner} nodes={node.children} current={current} />}
    </li>
  )
}

function Name({ owner, node: { slug, name, isPage, children }, current }: NodeProps) {
  const content = (
    <>
      <Icon icon={children.length > 0 ? Folder : FileText} size={14} />
      <span class={styles['text']}>{name}</span>
    </>
  )
  if (!isPage) return <span class={styles['name']}>{content}</span>
  const isCurrent = slug === current
  return (
    <a
      class={classNames(styles['name'], isCurrent && styles['current'])}
      href={pageAddress(owner, slug)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {content}
    </a>
  )
}
