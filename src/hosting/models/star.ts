import * as z from 'zod/mini';
import { model, ref } from '../../schema/model.js';
import { Repository } from './repository.js';
import { User } from './user.js';

/** User who starred a repository, with the time of the star. Returned for the media type `star`. */
export interface Stargazer {
  /** Time when the user starred the repository, `YYYY-MM-DDTHH:MM:SSZ`. */
  starred_at: string;
  /** User who starred the repository. */
  user: User;
}

/**
 * Repository that a user starred, with the time of the star. Returned for the media type `star`.
 */
export interface StarredRepository {
  /** Time when the user starred the repository, `YYYY-MM-DDTHH:MM:SSZ`. */
  starred_at: string;
  /** Repository that was starred. */
  repo: Repository;
}

export const Stargazer = model<Stargazer>()('Stargazer', () => ({
  starred_at: z.string(),
  user: ref(User),
}));

export const StarredRepository = model<StarredRepository>()('StarredRepository', () => ({
  starred_at: z.string(),
  repo: ref(Repository),
}));
