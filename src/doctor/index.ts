export { type DoctorProgress, type ExamineOptions, examine } from './examine.js';
export {
  collectFindings,
  type Difference,
  type DoctorReport,
  type EndpointOutcome,
  type EndpointReport,
  type Fact,
  type FamilyReport,
  type Finding,
} from './report.js';
export { formatIssue, formatReport } from './show.js';
