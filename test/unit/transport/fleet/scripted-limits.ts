import type {
  BudgetReply,
  BudgetReport,
  LimitReply,
  LimitReport,
  SharedLimits,
  StartReply,
} from '../../../../src/transport/limits/shared-limits.js';

/** Creates a store's reply about a quota with enough units for all processes. */
export function budgetReply(more: Partial<BudgetReply> = {}): BudgetReply {
  return {
    sequence: 0,
    known: undefined,
    granted: 0,
    left: 100_000,
    holders: 1,
    place: 0,
    waited: undefined,
    ...more,
  };
}

/** Creates the store's reply for the only process that needs slots. */
export function slotReply(more: Partial<NonNullable<LimitReply['slots']>> = {}) {
  return { granted: 0, holders: 1, waiting: 0, ahead: 0, ...more };
}

/** Creates the store's reply for the only process that requests starts. */
export function startReply(more: Partial<StartReply> = {}): StartReply {
  return { granted: 0, wait: undefined, waiting: 0, interval: 0, count: 0, ...more };
}

/** Replies to a report and grants all units, slots and starts that the process needs. */
export function plenty(report: LimitReport): LimitReply {
  const units = report.budgets.reduce((total, { need }) => total + need, 0);
  return {
    pause: 0,
    pauses: 0,
    slots: report.slots && slotReply({ granted: Math.max(0, report.slots.want + units) }),
    budgets: report.budgets.map(({ need, reported }: BudgetReport) =>
      budgetReply({ granted: need, known: reported }),
    ),
    starts: report.starts.map(({ want }) => startReply({ granted: want })),
  };
}

/** Replies to a report and grants all units that the process wants, even beyond its need. */
export function portions(report: LimitReport): LimitReply {
  return {
    ...plenty(report),
    budgets: report.budgets.map(({ want, reported }) =>
      budgetReply({ granted: want, known: reported }),
    ),
  };
}

/** Replies to a report and grants nothing. */
export function nothing(report: LimitReport): LimitReply {
  return {
    pause: 0,
    pauses: 0,
    slots: report.slots && slotReply({ waiting: 1, ahead: 100, holders: 100 }),
    budgets: report.budgets.map(({ reported }) =>
      budgetReply({ known: reported, left: 0, holders: 100 }),
    ),
    starts: report.starts.map(() => startReply()),
  };
}

/** Creates a reply function that waits until `release` is called. */
export function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reply = (report: LimitReport) => released.then(() => plenty(report));
  return { reply, release };
}

/** An in-memory store that records reports and replies as the test specifies. */
export class ScriptedLimits implements SharedLimits {
  readonly reports: LimitReport[] = [];
  /** Number of exchanges in progress. */
  underWay = 0;
  /** Highest number of exchanges that were in progress at the same time. */
  most = 0;
  reply: (report: LimitReport) => LimitReply | Promise<LimitReply> = plenty;

  constructor(readonly timeout = 50) {}

  async exchange(_scope: string, report: LimitReport): Promise<LimitReply> {
    this.reports.push(report);
    this.underWay++;
    this.most = Math.max(this.most, this.underWay);
    try {
      return await this.reply(report);
    } finally {
      this.underWay--;
    }
  }

  get last(): LimitReport | undefined {
    return this.reports.at(-1);
  }
}
