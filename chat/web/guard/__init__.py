"""Fetch from the public web and from nowhere else."""

from chat.web.guard.addresses import check_address
from chat.web.guard.cache import PageCache
from chat.web.guard.charset import Charset
from chat.web.guard.client import Guard
from chat.web.guard.pacing import Pacing
from chat.web.guard.page import Hop, Page
from chat.web.guard.policy import RESEARCH_POLICY, FetchLimits, Policy
from chat.web.guard.polite import PoliteGuard
from chat.web.guard.refusal import SENTENCES, FetchRefused, Reason
from chat.web.guard.resolving import system_dial, system_resolver
from chat.web.guard.robots import RobotsPolicy
from chat.web.guard.urls import CheckedUrl, check_url
from chat.web.guard.wall_rules import WallKind
from chat.web.guard.walls import Wall, wall

__all__ = [
    "RESEARCH_POLICY",
    "SENTENCES",
    "Charset",
    "CheckedUrl",
    "FetchLimits",
    "FetchRefused",
    "Guard",
    "Hop",
    "Pacing",
    "Page",
    "PageCache",
    "Policy",
    "PoliteGuard",
    "Reason",
    "RobotsPolicy",
    "Wall",
    "WallKind",
    "check_address",
    "check_url",
    "system_dial",
    "system_resolver",
    "wall",
]
