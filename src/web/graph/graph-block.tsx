import { ChevronDown, ChevronRight } from 'lucide'
import { Component, type ComponentChildren, createRef } from 'preact'

import { addressOf } from '../../addresses/address-of.js'
import type { GraphJob, LinkedPipeline } from '../../coordinator/ci/pipelines/graph/schema.js'
import { Button, IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { useNow } from '../kit/clock.js'
import { formatDuration, secondsBetween } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import { opensElsewhere } from '../kit/opens-elsewhere.js'
import { inSlices } from '../kit/slices.js'
import { shownStatus, StatusIcon, statusLook } from '../kit/status.js'
import { watchNear } from '../kit/watch-near.js'
import styles from './graph-block.module.css'
import { countByStatus, type JobGroup } from './job-groups.js'
import { endOfName, instanceName } from './job-names.js'
import { type Block, type Box, BOX_GAP, isSameBlock } from './layout.js'

/** What a graph shows of each job. All boxes are drawn again when one of these functions changes. */
export interface JobProps {
  /** Jobs that do not match the filter are dimmed. */
  matches?: ((job: GraphJob) => boolean) | undefined
  addressOfJob: (job: GraphJob) => string
  /** The button of a job, such as "Retry". */
  actionOf: (job: GraphJob) => ComponentChildren
  /** Handles a click on a job, unless it opens another tab. The link is followed if the default is not prevented. */
  onOpen?: ((job: GraphJob, event: MouseEvent) => void) | undefined
  /** ID of the job that is shown beside the graph. */
  current?: number | undefined
}

interface BlockProps extends JobProps {
  block: Block
  /** Number of its column. */
  column: number
  /** As wide as the graph, for a list. */
  isList: boolean
  focus: string | undefined
  inFocus: ReadonlySet<string> | undefined
  /** Keys of the groups that are open. */
  open: ReadonlySet<string>
  toggle: (key: string) => void
  unfold: (column: number) => void
  /** IDs of the pipelines that are open in place. */
  openPipelines: ReadonlySet<number>
  /** Opens or closes a pipeline in place; undefined where none can be opened. */
  togglePipeline: ((pipeline: LinkedPipeline) => void) | undefined
}

interface BlockState {
  /** Whether its jobs are on the page. */
  isListed: boolean
  /** Whether they have icons and buttons, which are not needed out of sight. */
  isWhole: boolean
}

/** Space around the boxes of a block, for their shadows. */
const MARGIN = BOX_GAP / 2

/**
 * Boxes of a column. Thousands of boxes stall a page when they are drawn at once: only blocks near what is in sight are drawn
 * at once; the others follow soon after, without icons until they are near.
 */
export class GraphBlock extends Component<BlockProps, BlockState> {
  override state: BlockState

  private readonly element = createRef<HTMLDivElement>()
  private isNear: boolean
  private drawn: BlockProps | undefined
  private unwatch: (() => void) | undefined
  private drop: (() => void) | undefined

  constructor(props: BlockProps) {
    super(props)
    // Before the first layout: as if the graph began at the corner of the window.
    this.isNear = props.block.y < window.innerHeight && props.block.x < window.innerWidth
    this.state = { isListed: this.isNear, isWhole: this.isNear }
  }

  override componentDidMount() {
    if (!this.state.isListed) this.drop = inSlices(this.list)
    if (this.element.current) this.unwatch = watchNear(this.element.current, this.moved)
  }

  override componentWillUnmount() {
    this.unwatch?.()
    this.drop?.()
  }

  override shouldComponentUpdate(next: BlockProps, state: BlockState) {
    if (state !== this.state) return true
    if (this.drawn && looksSame(this.drawn, next)) return false
    if (this.isNear) return true
    this.drop = inSlices(this.list)
    return false
  }

  private readonly list = () => {
    this.drop = undefined
    this.setState({ isListed: true })
  }

  private readonly moved = (isNear: boolean) => {
    this.isNear = isNear
    if (!isNear || (this.state.isWhole && !this.drop)) return
    this.drop?.()
    this.drop = undefined
    this.setState({ isListed: true, isWhole: true })
  }

  override render() {
    const { block, column, isList, focus, inFocus, matches, current } = this.props
    const { isListed } = this.state
    this.drawn = this.props
    return (
      <div
        ref={this.element}
        class={styles['block']}
        style={{
          left: `${block.x - MARGIN}px`,
          top: `${block.y - MARGIN}px`,
          width: isList ? `calc(100% + ${2 * MARGIN}px)` : `${block.width + 2 * MARGIN}px`,
          height: `${block.height + 2 * MARGIN}px`,
        }}
      >
        {isListed &&
          block.boxes.map((box) => (
            <div
              key={box.key}
              role="listitem"
              data-box={isLine(box) ? undefined : ''}
              data-key={box.root}
              data-column={column}
              data-current={isCurrent(box, current) ? '' : undefined}
              class={classNames(
                isLine(box) ? styles['line'] : styles['box'],
                box.depth > 0 && styles['inside'],
                focus !== undefined && box.group?.key === focus && styles['focused'],
                isQuiet(box, inFocus, matches) && styles['quiet'],
                isCurrent(box, current) && styles['current'],
              )}
              style={{
                height: `${box.height}px`,
                ...(box.depth > 0 && { '--depth': Math.min(box.depth, DEEPEST) }),
              }}
            >
              {this.contentOf(box)}
            </div>
          ))}
      </div>
    )
  }

  private contentOf(box: Box) {
    const { column, open, toggle, unfold, current, openPipelines, togglePipeline } = this.props
    const { isWhole } = this.state
    const { kind, key, group, job, opens } = box
    const switchOf = opens && togglePipeline && (
      <PipelineSwitch pipeline={opens} isOpen={openPipelines.has(opens.id)} toggle={togglePipeline} />
    )
    switch (kind) {
      case 'folded':
        return (
          <Button kind="ghost" class={styles['folded']} onClick={() => unfold(column)}>
            {box.folded.length} more that passed
          </Button>
        )
      case 'stage':
      case 'note':
        return <Line {...box} />
      case 'pipeline':
        return opens && <PipelineBox pipeline={opens}>{switchOf}</PipelineBox>
      default:
        if (!job) return group && <GroupBox group={group} isOpen={open.has(key)} toggle={() => toggle(key)} />
        return (
          <JobBox
            {...this.props}
            {...{ job, isWhole }}
            siblings={group?.jobs ?? NO_JOBS}
            isCurrent={job.id === current}
            isInstance={kind === 'job'}
          >
            {switchOf}
          </JobBox>
        )
    }
  }
}

const NO_JOBS: readonly GraphJob[] = []

/** Boxes that are deeper are not moved any further, so that there is room for their names. */
const DEEPEST = 6

function isLine({ kind }: Box): boolean {
  return kind === 'stage' || kind === 'note'
}

function looksSame({ block, ...rest }: BlockProps, { block: nextBlock, ...next }: BlockProps): boolean {
  return (
    isSameBlock(block, nextBlock) &&
    (Object.keys(next) as (keyof typeof next)[]).every((name) => rest[name] === next[name])
  )
}

interface JobBoxProps extends Pick<JobProps, 'addressOfJob' | 'actionOf' | 'onOpen'> {
  job: GraphJob
  /** The instances of its parallel job. */
  siblings: readonly GraphJob[]
  isInstance: boolean
  isWhole: boolean
  isCurrent: boolean
  /** Before the button of the job. */
  children: ComponentChildren
}

function JobBox({
  job,
  siblings,
  isInstance,
  isWhole,
  isCurrent,
  addressOfJob,
  actionOf,
  onOpen,
  children,
}: JobBoxProps) {
  const status = shownStatus(job)
  const name = isInstance && job.index !== null ? instanceName(job, siblings) : job.name
  return (
    <>
      <a
        class={styles['link']}
        href={addressOfJob(job)}
        title={job.waiting === null ? job.name : `${job.name}\n${job.waiting}`}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={
          onOpen &&
          ((event) => {
            if (!opensElsewhere(event)) onOpen(job, event)
          })
        }
      >
        {isWhole ? <StatusIcon status={status} isDecoration /> : <span class={styles['noIcon']} />}
        <span class={styles['text']}>
          <Name text={name} />
          {job.waiting !== null && <span class={styles['waiting']}>{job.waiting}</span>}
        </span>
        <RunTime job={job} />
        <span class="visually-hidden">
          , {statusLook(status).label}
          {job.needs.length > 0 && `, needs ${job.needs.join(', ')}`}
        </span>
      </a>
      {children}
      {isWhole && actionOf(job)}
    </>
  )
}

/** The button that shows the jobs of another pipeline below a box. */
function PipelineSwitch({
  pipeline,
  isOpen,
  toggle,
}: {
  pipeline: LinkedPipeline
  isOpen: boolean
  toggle: (pipeline: LinkedPipeline) => void
}) {
  return (
    <IconButton
      size="small"
      icon={isOpen ? ChevronDown : ChevronRight}
      label={`Jobs of pipeline #${pipeline.id}`}
      aria-expanded={isOpen}
      onClick={() => toggle(pipeline)}
    />
  )
}

/** The pipeline that started the one that is shown. */
function PipelineBox({ pipeline, children }: { pipeline: LinkedPipeline; children: ComponentChildren }) {
  const { id, project_path: project, status } = pipeline
  return (
    <>
      <a
        class={styles['link']}
        href={addressOf('pipelines/pipeline', { project, id: String(id) }, { view: 'graph' })}
        title={project}
      >
        <StatusIcon status={status} />
        <span class={styles['name']}>
          <span aria-hidden="true">↑ </span>
          <span class="visually-hidden">Upstream pipeline </span>
          {project.slice(project.lastIndexOf('/') + 1)} #{id}
        </span>
      </a>
      {children}
    </>
  )
}

/** A stage of a pipeline that is open in place, or why it shows nothing. */
function Line({ text, status }: Pick<Box, 'text' | 'status'>) {
  return (
    <>
      {status !== undefined && <StatusIcon status={status} size={12} />}
      <span class={styles['name']}>{text}</span>
    </>
  )
}

/** A name, of which the middle is left out where there is no room for all of it: names often differ at their ends. */
function Name({ text }: { text: string }) {
  const { head, tail } = endOfName(text)
  if (tail === '') return <span class={styles['name']}>{text}</span>
  return (
    <>
      <span class={classNames(styles['name'], styles['parts'])} aria-hidden="true">
        <span class={styles['head']}>{head}</span>
        <span class={styles['tail']}>{tail}</span>
      </span>
      <span class="visually-hidden">{text}</span>
    </>
  )
}

function RunTime({ job }: { job: GraphJob }) {
  const isRunning = job.started_at !== null && job.finished_at === null
  const now = useNow(isRunning)
  // Whole seconds while it grows, so that its width stays the same.
  const running = isRunning ? Math.round(secondsBetween(job.started_at, null, now) ?? 0) : undefined
  const seconds = job.duration ?? running
  return seconds === undefined ? null : <span class={styles['time']}>{formatDuration(seconds)}</span>
}

function GroupBox({ group, isOpen, toggle }: { group: JobGroup; isOpen: boolean; toggle: () => void }) {
  const counts = countByStatus(group.jobs)
  return (
    <button type="button" class={styles['group']} aria-expanded={isOpen} onClick={toggle} title={group.name}>
      <StatusIcon status={group.status} />
      <Name text={group.name} />
      <span class={styles['counts']}>
        {counts.map(({ status, count }) => (
          <span key={status} class={styles['count']}>
            <StatusIcon status={status} size={12} />
            {count}
          </span>
        ))}
      </span>
      <Icon icon={isOpen ? ChevronDown : ChevronRight} size={14} />
    </button>
  )
}

/** Whether a box shows the job with this ID, or a group that contains it. */
export function isCurrent({ group, job }: Pick<Box, 'group' | 'job'>, id: number | undefined): boolean {
  if (id === undefined) return false
  return job ? job.id === id : (group?.jobs.some((one) => one.id === id) ?? false)
}

function isQuiet(
  { group, job, root }: Box,
  inFocus: ReadonlySet<string> | undefined,
  matches: ((job: GraphJob) => boolean) | undefined,
): boolean {
  if (inFocus && (root === undefined || !inFocus.has(root))) return true
  if (!matches || !group) return false
  return job ? !matches(job) : !group.jobs.some(matches)
}
