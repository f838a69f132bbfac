export { type DoctorProgress, type ExamineOptions, examine } from './examine.js';
export {
  type Difference,
  type DoctorReport,
  type EndpointOutcome,
  type EndpointReport,
  type Fact,
  type FamilyReport,
  type Finding,
  findingsOf,
} from './report.js';
export { formatIssue, formatReport } from './show.js';
