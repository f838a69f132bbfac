import { describe, expect, expectTypeOf, it } from 'vitest';
import * as models from '../../src/hosting/index.js';
import { type Model, model } from '../../src/schema/model.js';

// The compiler checks these expectations. At run time, most of them do nothing.
describe('hosting models', () => {
  it('each model is a type and a value with the same name', () => {
    expectTypeOf(models.Release).toEqualTypeOf<Model<models.Release>>();
    expectTypeOf(models.PullRequest).toEqualTypeOf<Model<models.PullRequest>>();
    expect(models.Release.name).toBe('Release');
  });

  it('optional fields allow undefined, and nullable fields allow null', () => {
    expectTypeOf<models.PullRequest['merged_at']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.PullRequestBranch['repo']>().toEqualTypeOf<models.Repository | null>();
    expectTypeOf<models.Release['published_at']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.User['site_admin']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<models.Repository['language']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<models.CommitComment['position']>().toEqualTypeOf<number | null>();
    expectTypeOf<models.Repository['id']>().toEqualTypeOf<number>();
  });

  it('the type field discriminates content entries', () => {
    const sizeOrTarget = (entry: models.ContentEntry): number | string => {
      switch (entry.type) {
        case 'file':
          expectTypeOf(entry).toEqualTypeOf<models.ContentFile>();
          return entry.content?.length ?? 0;
        case 'dir':
          expectTypeOf(entry).toEqualTypeOf<models.ContentDirectory>();
          return entry.size;
        case 'symlink':
          expectTypeOf(entry.target).toEqualTypeOf<string>();
          return entry.target;
        case 'submodule':
          expectTypeOf(entry.submodule_git_url).toEqualTypeOf<string | null>();
          return entry.size;
      }
    };
    expectTypeOf(sizeOrTarget).returns.toEqualTypeOf<number | string>();
    expectTypeOf<models.ContentFileItem>().not.toHaveProperty('content');
    expectTypeOf<models.ContentResult>()
      .exclude<models.ContentEntry>()
      .toEqualTypeOf<models.ContentItem[]>();
  });

  it('each commit comment variant has only its own text fields', () => {
    expectTypeOf<models.CommitComment>().toHaveProperty('body');
    expectTypeOf<models.CommitCommentText>().not.toHaveProperty('body');
    expectTypeOf<models.CommitCommentHtml>().not.toHaveProperty('body');
    expectTypeOf<models.CommitCommentHtml['body_html']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.CommitCommentFull>().toExtend<
      models.CommitComment & models.CommitCommentText & models.CommitCommentHtml
    >();
  });

  it('Team extends TeamSummary, and each kind of statistics is a separate type', () => {
    expectTypeOf<models.Team>().toExtend<models.TeamSummary>();
    expectTypeOf<models.TeamSummary>().not.toHaveProperty('members_count');
    expectTypeOf<models.AdminStats['pulls']>().toEqualTypeOf<models.PullRequestStats>();
    expectTypeOf<models.AdminStatsType>().toEqualTypeOf<
      | 'repos'
      | 'hooks'
      | 'pages'
      | 'orgs'
      | 'users'
      | 'pulls'
      | 'issues'
      | 'milestones'
      | 'gists'
      | 'comments'
    >();
  });

  it("enumerations accept unknown strings, and a hook's config accepts any setting", () => {
    expectTypeOf<'a state of tomorrow'>().toExtend<models.PullRequest['state']>();
    expectTypeOf<number>().not.toExtend<models.PullRequest['state']>();
    expectTypeOf<models.HookConfig['railsbp_url']>().toEqualTypeOf<unknown>();
    expectTypeOf<models.HookConfig['url']>().toEqualTypeOf<string | null | undefined>();
  });

  it('`commit.author?.login` is a string, null or undefined', () => {
    const login = (commit: models.PullCommit) => commit.author?.login;
    expectTypeOf(login).returns.toEqualTypeOf<string | null | undefined>();
  });

  it('a schema that differs from its interface causes a compile-time error', () => {
    interface Named {
      name: string;
    }
    // @ts-expect-error the schema has no field `name`
    model<Named>()('Named', () => ({}));
    // @ts-expect-error the schema has an additional field
    model<Pick<Named, never>>()('Named', () => ({ name: models.User }));
  });
});
