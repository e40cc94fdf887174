import type { RunnerDetails } from '../../../coordinator/ci/runners/schema.js'
import { Badge } from '../../kit/badge.js'
import { formatDuration } from '../../kit/durations.js'
import { Time } from '../../kit/time.js'
import { Fact, Facts } from '../facts.js'
import styles from './runner-view.module.css'

/** What a runner takes and what it is, at a glance. */
export function RunnerFacts({ runner }: { runner: RunnerDetails }) {
  const {
    tag_list: tags,
    maximum_timeout: timeout,
    platform,
    architecture,
    version,
    created_by: creator,
  } = runner
  return (
    <Facts isBox class={styles['facts']}>
      <Fact title="Tags">
        {tags.length === 0 ? (
          <span class={styles['quiet']}>none</span>
        ) : (
          <span class={styles['tags']}>
            {tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        )}
      </Fact>
      <Fact title="Takes">{takes(runner)}</Fact>
      <Fact title="Maximum job timeout">
        {timeout === null ? <span class={styles['quiet']}>that of the job</span> : formatDuration(timeout)}
      </Fact>
      <Fact title="Weight">{runner.weight}</Fact>
      <Fact title="Program">
        {runner.name === null ? (
          <span class={styles['quiet']}>not known yet</span>
        ) : (
          `${runner.name} ${version ?? ''}`
        )}
      </Fact>
      <Fact title="Platform">
        {platform === null ? (
          <span class={styles['quiet']}>not known yet</span>
        ) : (
          `${platform} ${architecture ?? ''}`
        )}
      </Fact>
      {runner.groups.map(({ id, name, web_url: url }) => (
        <Fact key={id} title="Group">
          <a href={new URL(url).pathname}>{name}</a>
        </Fact>
      ))}
      <Fact title="Created">
        <Time value={runner.created_at} />
        {isUser(creator) && (
          <>
            {' by '}
            <a href={`/${creator.username}`}>{creator.name}</a>
          </>
        )}
      </Fact>
    </Facts>
  )
}

function takes({ access_level: level, run_untagged: untagged, tag_list: tags }: RunnerDetails): string {
  const which = `jobs of ${level === 'ref_protected' ? 'protected' : 'all'} branches and tags`
  if (tags.length === 0) return which
  return untagged ? `${which}, tagged or not` : `tagged ${which}`
}

function isUser(value: unknown): value is { username: string; name: string } {
  return typeof value === 'object' && value !== null && 'username' in value && 'name' in value
}
