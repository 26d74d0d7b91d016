"""States that are in use, damaged, or on a full disk."""

from pathlib import Path

import pytest
import unframe

from hostile_pages import HTML, pages, state_pages, survives


class TestStates:
    def test_two_processes(self, tmp_path: Path) -> None:
        path = tmp_path / "a.unframe"
        with unframe.Site.open(path) as site:
            site.learn_many(pages(10))
            said = survives(
                """
                for use in [unframe.Site.open, unframe.Crawl.open, lambda path: unframe.clean_pages([], state=path)]:
                    try:
                        use(sys.argv[1])
                    except unframe.StateInUseError as error:
                        print(error)
                """,
                path,
            )
            assert said.count("in use by another process; wait for it to end") == 3
            for use in [unframe.Site.open, unframe.Crawl.open, lambda path: unframe.clean_pages([], state=path)]:
                with pytest.raises(unframe.StateInUseError):
                    use(path)
            site.learn_many(pages(20))
        assert state_pages(path) == 20

    def test_damage_is_noticed_and_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "a.unframe"
        with unframe.Site.open(path) as site:
            site.learn_many(pages(50))
        good = path.read_bytes()
        for place in range(0, len(good), max(1, len(good) // 40)):
            damaged = bytearray(good)
            damaged[place] ^= 0x55
            path.write_bytes(damaged)
            try:
                with unframe.Site.open(path, watch_drift=False) as site:
                    site.clean(HTML, learn=False)
            except unframe.StateError:
                assert path.read_bytes() == damaged
        for cut in range(1, len(good), max(1, len(good) // 20)):
            path.write_bytes(good[:cut])
            with pytest.raises(unframe.StateDamagedError):
                unframe.Site.open(path)
        path.write_bytes(good)
        assert state_pages(path) == 50

    def test_methods_do_not_mix(self, tmp_path: Path) -> None:
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            site.learn_many(pages(5))
        with unframe.Site.open(tmp_path / "a.unframe", method="chunks") as site:
            assert site.pages == 0
            site.learn_many(pages(7))
        assert state_pages(tmp_path / "a.unframe") == 5

    @pytest.mark.parametrize("use", ["Site", "Crawl", "clean_pages"])
    def test_a_full_disk(self, tmp_path: Path, use: str) -> None:
        """A limit of the file size stands for it: writing fails at some point."""
        said = survives(
            """
            import resource
            path, use = sys.argv[1:]
            def pages(start, count):
                for number in range(start, start + count):
                    texts = [f"<p>{number} {n} {hash((number, n))}" for n in range(200)]
                    yield f"https://a.example/{number}", "".join(texts)
            with unframe.Crawl.open(path) as crawl:
                for url, html in pages(0, 50):
                    crawl.learn(html, url)
            size = os.path.getsize(path)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 4096, resource.RLIM_INFINITY))
            try:
                if use == "clean_pages":
                    list(unframe.clean_pages(pages(50, 300), state=path))
                elif use == "Site":
                    with unframe.Site.open(path) as site:
                        site.learn_many(pages(50, 300))
                else:
                    with unframe.Crawl.open(path) as crawl:
                        for url, html in pages(50, 300):
                            crawl.learn(html, url)
            except unframe.StateError as error:
                print(type(error).__name__, error)
            """,
            tmp_path / "a.unframe",
            use,
        )
        assert said.startswith("StateError") and "a.unframe" in said and "too large" in said, said
        assert state_pages(tmp_path / "a.unframe") >= 50

    def test_a_site_stays_open_if_it_cannot_be_committed(self, tmp_path: Path) -> None:
        survives(
            """
            import resource
            site = unframe.Site.open(sys.argv[1])
            for number in range(200):
                site.learn("".join(f"<p>{number} {n} {hash((number, n))}" for n in range(200)), str(number))
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(sys.argv[1]) + 100, hard))
            try:
                site.close()
            except unframe.StateError:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
                assert site.pages == 200
                site.close()
                with unframe.Site.open(sys.argv[1]) as site:
                    assert site.pages == 200
            else:
                raise SystemExit("it could be committed")
            """,
            tmp_path / "a.unframe",
        )

    def test_a_folder_that_cannot_be_written_to(self) -> None:
        for use in [unframe.Site.open, unframe.Crawl.open]:
            with pytest.raises(unframe.StateError, match="/proc/a.unframe"):
                use("/proc/a.unframe")

    def test_a_file_that_is_deleted_meanwhile_is_noticed(self, tmp_path: Path) -> None:
        """What is learned then cannot be kept."""
        path = tmp_path / "a.unframe"
        with pytest.raises(unframe.StateError, match="removed or replaced while it was in use"):
            with unframe.Site.open(path) as site:
                site.learn_many(pages(10))
                site.commit()
                path.unlink()
                site.learn_many(pages(20))
                assert site.pages == 20

    def test_the_end_of_the_program_commits_even_beside_a_daemon_thread(self, tmp_path: Path) -> None:
        survives(
            """
            import threading
            site = unframe.Site.open(sys.argv[1])
            for number in range(50):
                site.learn(f"<nav>Home, Shop</nav><p>Story {number}.", f"https://a.example/{number}")
            threading.Thread(target=lambda: time.sleep(60), daemon=True).start()
            """,
            tmp_path / "a.unframe",
        )
        assert state_pages(tmp_path / "a.unframe") == 50
