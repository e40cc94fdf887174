import { GitFork } from 'lucide'
import { useState } from 'preact/hooks'

import { useLoaded } from '../frame/use-loaded.js'
import { Button, type ButtonLook } from '../kit/button.js'
import type { ListedProject } from './project-rows.js'

/** Opens the dialog that forks a project. */
export function ForkButton({ project, kind }: Pick<ButtonLook, 'kind'> & { project: ListedProject }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={GitFork} {...(kind && { kind })} onClick={() => setOpen(true)}>
        Fork
      </Button>
      {isOpen && <Dialog project={project} onClose={() => setOpen(false)} />}
    </>
  )
}

function Dialog(props: { project: ListedProject; onClose: () => void }) {
  const part = useLoaded(() => import('./fork-dialog.js'))
  return part ? <part.ForkDialog {...props} /> : null
}
