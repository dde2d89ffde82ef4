import pytest
from django.core.checks import run_checks

from reports import checks
from reports.checks import (
    check_debug_stays_at_home,
    check_decoding_ends_before_its_task,
    check_object_store_takes_files,
    check_queue_never_runs_a_task_twice,
    check_storage_can_be_written,
    check_workers_fit_the_machine,
)


def ids(messages):
    return [message.id for message in messages]


def test_the_settings_as_delivered_have_nothing_wrong():
    assert [message for message in run_checks() if message.id.startswith("upreg.E")] == []


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, []),
        ({"timeout": None}, ["upreg.E001"]),
        ({"timeout": 800}, ["upreg.E001"]),
        ({"max_attempts": 0}, ["upreg.E002"]),
        ({"ack_failures": False}, ["upreg.E002"]),
        ({"orm": None}, ["upreg.E003"]),
    ],
)
def test_a_queue_that_would_do_a_task_twice_is_an_error(settings, change, wrong):
    settings.Q_CLUSTER = {**settings.Q_CLUSTER, "timeout": 600, "retry": 720, **change}
    assert ids(check_queue_never_runs_a_task_twice()) == wrong


def test_a_storage_that_is_not_there_yet_is_fine_and_one_below_a_file_is_not(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "not" / "there" / "yet"
    assert check_storage_can_be_written() == []
    (tmp_path / "file").write_text("")
    settings.MEDIA_ROOT = tmp_path / "file" / "media"
    assert ids(check_storage_can_be_written()) == ["upreg.W004"]


def test_a_storage_of_somebody_else_is_worth_a_warning(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(checks.os, "access", lambda *_: False)  # the tests may run as root, who may write anywhere
    settings.MEDIA_ROOT = tmp_path / "media"
    assert ids(check_storage_can_be_written()) == ["upreg.W004"]


def test_an_object_store_is_not_looked_at(settings):
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"}}
    assert check_storage_can_be_written() == []


def test_more_workers_than_cores_are_worth_a_warning(settings, monkeypatch):
    monkeypatch.setattr(checks.os, "cpu_count", lambda: 2)
    settings.WORKERS = 2
    assert check_workers_fit_the_machine() == []
    settings.WORKERS = 3
    assert ids(check_workers_fit_the_machine()) == ["upreg.W001"]


@pytest.mark.parametrize(("limit_s", "wrong"), [(59, []), (60, ["upreg.E007"])])
def test_decoding_that_may_outlast_its_task_is_an_error(settings, limit_s, wrong):
    settings.TASK_TIMEOUT_S, settings.DECODER_TIMEOUT_S = 60, limit_s
    assert ids(check_decoding_ends_before_its_task()) == wrong


@pytest.mark.parametrize(
    ("debug", "hosts", "wrong"),
    [
        (True, ["localhost"], []),
        (False, ["upreg.example"], []),
        (True, ["localhost", "upreg.example"], ["upreg.E005"]),
    ],
)
def test_debug_pages_for_other_machines_are_an_error(settings, debug, hosts, wrong):
    settings.DEBUG, settings.ALLOWED_HOSTS = debug, hosts
    assert ids(check_debug_stays_at_home()) == wrong


def test_an_object_store_that_takes_files_is_fine_and_nothing_is_left_in_it(bucket):
    s3, name = bucket
    assert check_object_store_takes_files() == []
    assert "Contents" not in s3.list_objects_v2(Bucket=name)


def test_an_object_store_that_is_away_is_an_error(bucket, away):
    away()
    [error] = check_object_store_takes_files()
    assert (error.id, "does not answer" in error.msg) == ("upreg.E006", True)
