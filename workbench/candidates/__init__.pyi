"""The public names of candidate sets, which the package has as its own."""

from workbench.candidates.files import read_candidates as read_candidates
from workbench.candidates.learning import Learning as Learning
from workbench.candidates.model import CandidateModel as CandidateModel
from workbench.candidates.report import explain_choice as explain_choice
from workbench.candidates.report import report_selections as report_selections
from workbench.candidates.sets import CandidateSets as CandidateSets
