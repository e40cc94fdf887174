import { type Static, Type } from 'typebox'

import { LINK_TYPES } from '../../database/tables/releases.js'
import { described } from '../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/presenters/present-commit.js'
import { Milestone } from '../../http/presenters/present-milestone.js'
import { PublicUser } from '../../http/presenters/present-user.js'

export const ReleaseLink = Type.Object({
  id: described(Type.Integer(), 'ID of the link.'),
  name: described(Type.String(), 'Name of the link.'),
  url: described(Type.String(), 'URL of the link.'),
  external: described(Type.Boolean(), 'Whether the URL is on another server; always true.'),
  link_type: described(Type.String(), 'Type of the link: `other`, `runbook`, `image` or `package`.'),
  direct_asset_url: described(
    Type.String(),
    'URL below the release that redirects to the link; the same as `url` without a path.',
  ),
})
export type ReleaseLink = Static<typeof ReleaseLink>

const Evidence = Type.Object({
  sha: described(Type.String(), 'SHA-256 of the snapshot, in hexadecimal.'),
  filepath: described(Type.String(), 'URL of the snapshot as JSON.'),
  collected_at: described(Type.String(), 'Time of the snapshot.'),
})

/** API, J. Fields that show code are left out for callers who may not read it. */
export const Release = Type.Object({
  tag_name: described(Type.String(), 'Name of the tag.'),
  name: described(Type.String(), 'Name of the release; the tag if none was given.'),
  description: described(NullableText, 'Release notes in Markdown; null if there are none.'),
  description_html: described(
    Type.Optional(Type.String()),
    'Release notes as HTML, without markup; absent with `include_html_description=false`.',
  ),
  created_at: described(Type.String(), 'Time of creation.'),
  released_at: described(Type.String(), 'Time of the release.'),
  upcoming_release: described(Type.Boolean(), 'Whether the time of the release is in the future.'),
  historical_release: described(
    Type.Boolean(),
    'Whether the time of the release was in the past when the record was created.',
  ),
  author: described(Nullable(PublicUser), 'User who created the release; null for a deleted account.'),
  commit: described(Type.Optional(CommitBrief), 'Commit of the tag; requires permission to read code.'),
  milestones: described(
    Type.Array(Milestone),
    'Milestones of the release; requires permission to read milestones.',
  ),
  commit_path: described(
    Type.Optional(Type.String()),
    'Path of the commit page; requires permission to read code.',
  ),
  tag_path: described(
    Type.Optional(Type.String()),
    'Path of the tag page; requires permission to read code.',
  ),
  assets: described(
    Type.Object({
      count: described(Type.Integer(), 'Number of links, and of sources if they are shown.'),
      sources: described(
        Type.Optional(
          Type.Array(
            Type.Object({
              format: described(Type.String(), 'Format: `zip`, `tar.gz`, `tar.bz2` or `tar`.'),
              url: described(Type.String(), 'URL of the archive.'),
            }),
          ),
        ),
        'Archives of the repository; requires permission to read code.',
      ),
      links: described(Type.Array(ReleaseLink), 'Links of the release, newest first.'),
    }),
    'Assets of the release.',
  ),
  evidences: described(
    Type.Array(Evidence),
    'Snapshots of the release, the first one first; requires permission to read code and issues.',
  ),
  _links: described(
    Type.Object({
      self: described(Type.String(), 'URL of the release page.'),
      edit_url: described(Type.String(), 'URL of the page to edit the release.'),
      opened_issues_url: described(Type.String(), 'URL of its open issues.'),
      closed_issues_url: described(Type.String(), 'URL of its closed issues.'),
      opened_merge_requests_url: described(Type.String(), 'URL of its open merge requests.'),
      merged_merge_requests_url: described(Type.String(), 'URL of its merged merge requests.'),
      closed_merge_requests_url: described(Type.String(), 'URL of its closed merge requests.'),
    }),
    'URLs of related pages.',
  ),
})
export type Release = Static<typeof Release>

const withHtml = {
  include_html_description: described(
    Type.Optional(Type.Boolean()),
    'Whether to include the release notes as HTML in `description_html`; default true.',
  ),
}

export const ReleaseFilters = Type.Object({
  ...withHtml,
  order_by: described(
    Type.Optional(OneOf('released_at', 'created_at')),
    'Field to order by; `released_at` by default.',
  ),
  sort: described(Type.Optional(SortDirection), 'Sort order; `desc` by default.'),
})
export type ReleaseFilters = Static<typeof ReleaseFilters>

export const TagName = Type.Object({
  tag_name: described(Type.String({ minLength: 1 }), 'Tag of the release.'),
})

export const EvidenceId = Type.Object({
  ...TagName.properties,
  evidence_id: described(Type.Integer(), 'ID of the snapshot.'),
})

/** Response of an operation without a result. */
export const Accepted = Type.Object({ message: described(Type.String(), '`202 Accepted`') })

export const ShownRelease = Type.Object({ ...TagName.properties, ...withHtml })

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Url = Type.String({ minLength: 1, maxLength: 255 })

const link = {
  url: described(Url, 'Target URL: http, https or ftp.'),
  filepath: described(
    Type.Optional(Type.String({ maxLength: 128 })),
    'Path below the release that redirects to the link, starting with `/`.',
  ),
  direct_asset_path: described(Type.Optional(Type.String({ maxLength: 128 })), 'Newer name of `filepath`.'),
  link_type: described(Type.Optional(OneOf(...LINK_TYPES)), 'Type of the link; `other` by default.'),
}

export const LinkFields = Type.Object({ name: described(Name, 'Name of the link.'), ...link })
export type LinkFields = Static<typeof LinkFields>

const milestones = {
  milestones: described(
    Type.Optional(Type.Array(Type.String())),
    'Titles of milestones of the project or its groups; an empty list removes all.',
  ),
  milestone_ids: described(
    Type.Optional(Type.Array(Type.Integer())),
    'IDs of milestones of the project or its groups; an empty list removes all.',
  ),
}

export const NewRelease = Type.Object({
  tag_name: described(
    Type.String({ minLength: 1, maxLength: 255 }),
    'Name of the tag; created from `ref` if it does not exist.',
  ),
  name: described(Type.Optional(Type.String({ maxLength: 255 })), 'Name of the release; the tag by default.'),
  description: described(Type.Optional(Type.String({ maxLength: 1_000_000 })), 'Release notes in Markdown.'),
  tag_message: described(
    Type.Optional(Type.String({ maxLength: 1_000_000 })),
    'Message of a new annotated tag.',
  ),
  ref: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    'Branch, tag or commit for a new tag.',
  ),
  ...milestones,
  released_at: described(Type.Optional(DateTime()), 'Time of the release; now by default.'),
  assets: described(
    Type.Optional(
      Type.Object({ links: described(Type.Optional(Type.Array(LinkFields)), 'Links of the release.') }),
    ),
    'Assets of the release.',
  ),
})
export type NewRelease = Static<typeof NewRelease>

export const EditRelease = Type.Object({
  ...TagName.properties,
  name: described(Type.Optional(Type.String({ maxLength: 255 })), 'Name of the release; the tag by default.'),
  description: described(Type.Optional(Type.String({ maxLength: 1_000_000 })), 'Release notes in Markdown.'),
  ...milestones,
  released_at: described(Type.Optional(DateTime()), 'Time of the release; unchanged if absent.'),
})
export type EditRelease = Static<typeof EditRelease>

export const NewLink = Type.Object({ ...TagName.properties, ...LinkFields.properties })
export const LinkId = Type.Object({
  ...TagName.properties,
  link_id: described(Type.Integer(), 'ID of the link.'),
})
export const EditLink = Type.Object({
  ...LinkId.properties,
  ...link,
  name: described(Type.Optional(Name), 'Name of the link; unchanged if absent.'),
  url: described(Type.Optional(Url), 'Target URL; unchanged if absent.'),
})
export type EditLink = Static<typeof EditLink>
