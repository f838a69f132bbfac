export { type ExamineOptions, examine } from './examine.js';
export {
  type DoctorReport,
  type Fact,
  type FamilyReport,
  formatReport,
} from './report.js';
