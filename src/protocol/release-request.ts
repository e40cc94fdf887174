import { type Static, Type } from 'typebox'

/**
 * Ours: what the `release` step of a job is to release, variables not expanded yet; besides the commands that runners
 * without it run (CI language, 3.14). As the body of `POST /projects/:id/releases` has it (API gaps, part J).
 */
export const ReleaseRequest = Type.Object({
  tag_name: Type.String(),
  /** A text, or the path of a file below the project directory that holds it. */
  description: Type.String(),
  name: Type.Optional(Type.String()),
  tag_message: Type.Optional(Type.String()),
  ref: Type.String(),
  milestones: Type.Optional(Type.Array(Type.String())),
  released_at: Type.Optional(Type.String()),
  assets: Type.Optional(
    Type.Object({
      links: Type.Array(
        Type.Object({
          name: Type.String(),
          url: Type.String(),
          filepath: Type.Optional(Type.String()),
          link_type: Type.Optional(Type.String()),
        }),
      ),
    }),
  ),
})
export type ReleaseRequest = Static<typeof ReleaseRequest>
